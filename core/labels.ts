/** Labels and annotations as they stand on an object. */

export type Labels = Readonly<Record<string, string>>;
