/** The settings that an operator gives to a room by its environment. */
import assert from 'node:assert/strict';
import { ConfigError, readConfig } from '../../edge/config.ts';

function complaint(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
  return assert.fail('the settings were accepted');
}

describe('the settings', () => {
  it("are upstream's when nothing is said", () => {
    assert.deepEqual(readConfig({}), {
      prefix: 'sluice',
      clusterName: '',
      mode: 'enforce',
      platformType: '',
      natsUrl: 'nats://127.0.0.1:4222',
      natsUser: '',
      natsPassword: '',
      natsCaFile: '',
      instance: '',
      logRecord: '',
      logReplicas: 1,
      logStreams: 'make',
      kubeconfig: '',
      healthPort: 8080,
      probes: 'grpc',
      probePort: 9107,
      probeDeadlineMs: 1000,
      probeIntervalMs: 5000,
      probeFailures: 4,
      probeRecoveries: 1,
      probeIsolationShare: 50,
      probeSettings: '',
      probeCaFile: '',
      probeServerName: '',
      awsPeersPerEndpoint: 20,
      drainOn: [],
      noHostSubnetNodes: '',
      logLevel: 'info',
    });
  });

  it('are taken from the environment', () => {
    const config = readConfig({
      NATS_URL: 'tls://nats-0.nats:4222,tls://nats-1.nats:4222',
      SLUICE_PREFIX: 'blue',
      SLUICE_PROBE_TIMEOUT: '2.5',
      SLUICE_PROBE_FAILURES: '3',
      SLUICE_DRAIN_ON: ' cordon, example.com/maintenance,out-of-service ',
      SLUICE_NO_HOSTSUBNET_NODES: 'kubernetes.io/os=windows',
      SLUICE_LOG_LEVEL: 'debug',
      PATH: '/usr/bin',
    });
    assert.equal(config.natsUrl, 'tls://nats-0.nats:4222,tls://nats-1.nats:4222');
    assert.equal(config.prefix, 'blue');
    assert.equal(config.probeDeadlineMs, 2500);
    assert.equal(config.probeFailures, 3);
    const drainOn = ['cordon', 'example.com/maintenance', 'out-of-service'];
    assert.deepEqual(config.drainOn, drainOn);
    assert.equal(config.noHostSubnetNodes, 'kubernetes.io/os=windows');
    assert.equal(config.logLevel, 'debug');
  });

  it('probe the port that belongs to the way of probing, unless another is named', () => {
    assert.equal(readConfig({ SLUICE_PROBES: 'tcp' }).probePort, 9);
    assert.equal(readConfig({ SLUICE_PROBES: 'tcp', SLUICE_PROBE_PORT: '22' }).probePort, 22);
  });

  it('take a probe timeout of 0 for no probing at all, as upstream does', () => {
    const { probes, probeDeadlineMs } = readConfig({ SLUICE_PROBE_TIMEOUT: '0' });
    assert.deepEqual([probes, probeDeadlineMs], ['off', 0]);
  });

  it('name the cluster for people, and say whether Sluice writes and on what platform', () => {
    const env = { SLUICE_CLUSTER_NAME: ' Plant 7, west ', SLUICE_MODE: 'shadow' };
    const { clusterName, mode } = readConfig(env);
    assert.deepEqual([clusterName, mode], ['Plant 7, west', 'shadow']);
    for (const platform of ['AWS', 'OpenStack', 'VSphere'])
      assert.equal(readConfig({ SLUICE_PLATFORM_TYPE: platform }).platformType, platform);
  });

  it('do not take a misspelled cloud for bare metal', () => {
    const message = complaint({ SLUICE_PLATFORM_TYPE: 'aws' });
    assert.match(message, /SLUICE_PLATFORM_TYPE is "aws", allowed: AWS, Azure, GCP, OpenStack/);
  });

  it('count an empty variable as one that is not there', () => {
    assert.deepEqual(readConfig({ SLUICE_PROBES: '', NATS_URL: '' }), readConfig({}));
  });

  it('are refused with everything that is wrong, each with its value and what is allowed', () => {
    const message = complaint({
      SLUICE_PROBES: 'sometimes',
      SLUICE_HEALTH_PORT: '99999',
      SLUICE_PROBE_TIMEOUT: '61',
      SLUICE_COLOR: 'green',
    });
    assert.deepEqual(
      message.split('\n').map((line) => line.trim()),
      [
        'the settings are not usable:',
        'SLUICE_HEALTH_PORT is "99999", allowed: 0 to 65535, 0 = any',
        'SLUICE_PROBES is "sometimes", allowed: off, tcp or grpc',
        'SLUICE_PROBE_TIMEOUT is "61", allowed: 0 to 60 seconds, 0 = off',
        'SLUICE_COLOR is no setting of Sluice',
      ],
    );
  });

  for (const [name, value] of Object.entries({
    SLUICE_PREFIX: 'a.b',
    SLUICE_HEALTH_PORT: '80a',
    SLUICE_PROBE_PORT: '0',
    SLUICE_PROBE_TIMEOUT: '1e3',
    SLUICE_PROBE_INTERVAL: '0',
    SLUICE_PROBE_RECOVERIES: '0',
    SLUICE_DRAIN_ON: 'example.com/maintenance=true',
    SLUICE_LOG_LEVEL: 'INFO',
    NATS_URL: 'http://nats:4222',
  })) {
    it(`do not admit ${name}=${value}`, () => {
      const message = complaint({ [name]: value });
      assert.match(message, new RegExp(`^  ${name} is "${value}", allowed: .+$`, 'm'));
    });
  }

  it('do not take a cordon with a capital letter for a taint', () => {
    assert.match(complaint({ SLUICE_DRAIN_ON: 'a,Cordon' }), /SLUICE_DRAIN_ON is "a,Cordon"/);
  });

  it('want a CA and a name together for TLS', () => {
    assert.match(complaint({ SLUICE_PROBE_CA_FILE: '/ca.pem' }), /needs SLUICE_PROBE_SERVER_NAME/);
    assert.match(complaint({ SLUICE_PROBE_SERVER_NAME: 'n' }), /needs SLUICE_PROBE_CA_FILE/);
  });

  it('do not print the password of a NATS url', () => {
    const message = complaint({ NATS_URL: 'nats://user:se@cret@nats:4222/x' });
    assert.match(message, /NATS_URL is "nats:\/\/…@nats:4222\/x"/);
  });

  it('are not confused by a Service called sluice-watcher in the same namespace', () => {
    const linked = {
      SLUICE_WATCHER_SERVICE_HOST: '10.96.0.7',
      SLUICE_WATCHER_SERVICE_PORT: '8080',
      SLUICE_WATCHER_SERVICE_PORT_HTTP: '8080',
      SLUICE_WATCHER_PORT: 'tcp://10.96.0.7:8080',
      SLUICE_WATCHER_PORT_8080_TCP: 'tcp://10.96.0.7:8080',
      SLUICE_WATCHER_PORT_8080_TCP_PROTO: 'tcp',
      SLUICE_SERVICE_HOST: '10.96.0.8',
    };
    assert.deepEqual(readConfig(linked), readConfig({}));
    assert.match(complaint({ SLUICE_HEALT_PORT: '8080' }), /SLUICE_HEALT_PORT is no setting/);
  });
});
