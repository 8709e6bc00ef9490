/** One figure of a benchmark. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** More than this is a failure. */
  readonly limit?: number;
  /** Less than this is a failure. */
  readonly least?: number;
}

export function isMissed({ value, limit, least }: Row): boolean {
  return (limit !== undefined && value > limit) || (least !== undefined && value < least);
}
