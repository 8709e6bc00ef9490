/** Texts that may stand in a node's annotation, and the annotations that are read. */

export const texts = [
  '',
  'nonsense',
  '{',
  'null',
  '[]',
  '{}',
  '7',
  '"text"',
  '[null]',
  '{"ipv4":7}',
  '{"ipv4":"10.0.0.1"}',
  '{"default":[7]}',
  '{"default":{"a":[]}}',
  '{"__proto__":{"ipv4":"10.0.0.1/16"}}',
  '["10.0.0.1/16","10.0.0.1/99"]',
  '\u0000\uffff\ud83d\ude00',
  'x'.repeat(20_000),
];

export const keys = [
  'k8s.ovn.org/node-primary-ifaddr',
  'k8s.ovn.org/host-cidrs',
  'k8s.ovn.org/node-subnets',
  'cloud.network.openshift.io/egress-ipconfig',
];
