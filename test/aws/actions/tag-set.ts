/** Tags as they stand in a reply. */
import type { Tags } from '../model.ts';
import type { Xml } from '../xml.ts';

export const tagSet = (tags: Tags): Xml =>
  Object.entries(tags).map(([key, value]) => ({ key, value }));

/** Instances and subnets without tags have no set at all; clients must take both. */
export const tagSetUnlessEmpty = (tags: Tags): Xml =>
  Object.keys(tags).length === 0 ? undefined : tagSet(tags);
