/** The settings of a rehearsal: those of the rooms, and how the simulated cluster is. */
import { compile, parseSelector } from '../../core/selector.ts';
import type { Settings } from '../../services/watcher/input.ts';
import type { Place } from './place.ts';
import { usualSettings } from './rooms.ts';
import type { Script } from './script.ts';

type Read = Pick<Script, 'settings' | 'statusSubresource' | 'beginningMs' | 'platform'>;

const keys = [
  'probes',
  'port',
  'deadline',
  'interval',
  'failures',
  'recoveries',
  'noHostSubnetNodes',
  'drainOn',
  'statusSubresource',
  'start',
  'platform',
];

/** `settings: {probes: tcp, interval: 5s, failures: 3, …}`; what is not said is as usual. */
export function readSettings(document: Place | undefined): Read {
  const usual: Read = {
    settings: usualSettings,
    statusSubresource: false,
    beginningMs: undefined,
    platform: '',
  };
  if (document === undefined) return usual;
  document.known('the document of settings', ['settings']);
  return document
    .get('settings')
    .known('settings', keys)
    .reduce((read, [key, place]) => ({ ...read, ...setting(read.settings, key, place) }), usual);
}

function setting(settings: Settings, key: string, place: Place): Partial<Read> {
  switch (key) {
    case 'statusSubresource':
      return { statusSubresource: place.flag(key) };
    case 'platform':
      return { platform: place.text(key) };
    case 'start':
      return { beginningMs: momentOf(place) };
    default:
      return { settings: { ...settings, ...roomSetting(key, place) } };
  }
}

function roomSetting(key: string, place: Place): Partial<Settings> {
  switch (key) {
    case 'probes':
      return { probing: probingOf(place) };
    case 'deadline':
      return { deadlineMs: place.duration(key) };
    case 'interval':
      return { intervalMs: place.duration(key) };
    case 'noHostSubnetNodes':
      return { excluded: selectorAt(place) };
    case 'drainOn':
      return { drainOn: place.items().map((item) => item.text('cordon or the key of a taint')) };
    default:
      return { [key]: place.count(key) };
  }
}

function probingOf(place: Place): Settings['probing'] {
  // YAML 1.1 readers take a bare `off` for false, and many people's habits are theirs.
  if (place.value === false || place.value === 'off') return 'off';
  if (place.value === 'tcp' || place.value === 'grpc') return place.value;
  return place.fail('probes is off, tcp or grpc');
}

function selectorAt(place: Place): Settings['excluded'] {
  const selector = parseSelector(place.text('a selector'));
  return selector === undefined ? place.fail('no label selector') : compile(selector);
}

function momentOf(place: Place): number {
  const atMs = Date.parse(place.text('start'));
  return Number.isNaN(atMs) ? place.fail('start is a moment such as 2026-01-05T10:00:00Z') : atMs;
}
