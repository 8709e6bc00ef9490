/**
 * The rules of the schemas that are written in CEL, each by its text: a new one is not let pass.
 */
import { isDeepStrictEqual } from 'node:util';
import { isIPv4 } from 'node:net';
import { listOf, property } from '../../../core/json.ts';
import { addressOf, isMasked, rangeOf, secondsOf } from './reading.ts';

type Rule = (self: unknown, before: unknown) => boolean;

const zonesOf = (spec: unknown): readonly unknown[] =>
  listOf(property(property(spec, 'bgp'), 'availabilityZones'));
const hasAws = (spec: unknown): boolean => property(spec, 'aws') !== undefined;

/** Neither zones nor IPv4 in IPv6 are addresses to the API server. */
const isIP = (text: string): boolean =>
  isIPv4(text) || (addressOf(text) !== '' && !isIPv4(addressOf(text)));

const rules: readonly (readonly [begins: string, rule: Rule])[] = [
  [
    "self.metadata.name == 'cluster'",
    (self) => property(property(self, 'metadata'), 'name') === 'cluster',
  ],
  ['!has(self.aws) || !has', (self) => !hasAws(self) || zonesOf(self).length === 0],
  ['has(self.aws) || has', (self) => hasAws(self) || zonesOf(self).length > 0],
  ['self == oldSelf', (self, before) => before === undefined || isDeepStrictEqual(self, before)],
  ['isIP(self)', (self) => isIP(String(self))],
  ['isCIDR(self) && string', (self) => isMasked(String(self))],
  [
    "duration(self) >= duration('1s')",
    (self) => secondsOf(String(self)) >= 1 && secondsOf(String(self)) <= 65_535,
  ],
  [
    'size(self) != 2',
    (self) => {
      const ranges = listOf(self).map((one) => rangeOf(String(one)));
      if (ranges.length !== 2 || ranges.includes(undefined)) return true;
      return ranges[0]?.family !== ranges[1]?.family;
    },
  ],
];

/** @throws Error for a rule that is not known here. */
export function ruleOf(text: string): Rule {
  const found = rules.find(([begins]) => text.startsWith(begins));
  if (found === undefined) throw new Error(`a rule that nobody plays: ${text}`);
  return found[1];
}
