/** All judges, new for each simulation. */
import type { Checker } from '../checker.ts';
import { addressOnce } from './anytime-address-once.ts';
import { adopted } from './anytime-adopted.ts';
import { claims } from './anytime-claims.ts';
import { cloudManners } from './anytime-cloud-manners.ts';
import { finalizer } from './anytime-finalizer.ts';
import { routingOnlyOurs } from './anytime-routing-only-ours.ts';
import { routed } from './eventually-routed.ts';
import { causesKnown } from './anytime-causes-known.ts';
import { cloudFirst } from './anytime-cloud-first.ts';
import { decisionsLegal } from './anytime-decisions-legal.ts';
import { eligible } from './anytime-eligible.ts';
import { markForLife } from './anytime-mark-for-life.ts';
import { moderate } from './anytime-moderate.ts';
import { onlyNews } from './anytime-only-news.ts';
import { onlyOurs } from './anytime-only-ours.ts';
import { staleWriter } from './anytime-stale-writer.ts';
import { siblingsApart } from './anytime-siblings-apart.ts';
import { validStays } from './anytime-valid-stays.ts';
import { withinCapacity } from './anytime-within-capacity.ts';
import { asDecided } from './eventually-as-decided.ts';
import { assigned } from './eventually-assigned.ts';
import { factsTrue } from './eventually-facts-true.ts';
import { ready } from './eventually-ready.ts';
import { explained } from './finally-explained.ts';
import { replayed } from './finally-replayed.ts';
import { sometimesChecker } from './sometimes.ts';
import { watchValidators } from './watch-validators.ts';

export const allCheckers = (): readonly Checker[] => [
  addressOnce(),
  adopted(),
  moderate(),
  siblingsApart(),
  eligible(),
  validStays(),
  decisionsLegal(),
  cloudFirst(),
  withinCapacity(),
  onlyOurs(),
  markForLife(),
  onlyNews(),
  causesKnown(),
  staleWriter(),
  assigned(),
  asDecided(),
  factsTrue(),
  ready(),
  explained(),
  replayed(),
  routingOnlyOurs(),
  cloudManners(),
  claims(),
  finalizer(),
  routed(),
  watchValidators(),
  sometimesChecker(),
];
