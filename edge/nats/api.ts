/** The part of JetStream's JSON API that the log uses (NATS' ADR-1, ADR-13, ADR-31). */
import type { Wire } from './wire.ts';
import { Unanswered } from './wire.ts';

/** JetStream answered that it will not. `errCode` tells which refusal it is. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  readonly errCode: number;

  constructor({ code, err_code, description }: RawError) {
    super(`${description} (${code}/${err_code})`);
    this.code = code;
    this.errCode = err_code;
  }
}

export const notFound = { stream: 10059, message: 10037 } as const;

interface RawError {
  readonly code: number;
  readonly err_code: number;
  readonly description: string;
}

export interface StreamInfo {
  /** When it was made: tells a stream from its successor of the same name. */
  readonly created: string;
  readonly state: { readonly messages: number; readonly last_seq: number };
}

export interface StoredMessage {
  readonly sequence: number;
  header(name: string): string;
}

/** One request; throws ApiError when refused, Unanswered when there was no answer. */
export async function ask<Answer>(wire: Wire, subject: string, body: object): Promise<Answer> {
  const { data } = await wire.request(`$JS.API.${subject}`, json(body));
  return answerOf(data);
}

/** The JSON of an answer, of the API or to a published message. */
export function answerOf<Answer>(data: Uint8Array): Answer {
  const answer = JSON.parse(new TextDecoder().decode(data)) as Answer & { error?: RawError };
  if (answer.error) throw new ApiError(answer.error);
  return answer;
}

export function json(body: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(body));
}

/** Undefined when there is no such stream. */
export function streamInfo(wire: Wire, stream: string): Promise<StreamInfo | undefined> {
  return unless(notFound.stream, ask<StreamInfo>(wire, `STREAM.INFO.${stream}`, {}));
}

/** One stored message; undefined when it, or the stream, is not there. Read from the leader. */
export async function storedMessage(
  wire: Wire,
  stream: string,
  which: { readonly seq: number } | { readonly last_by_subj: string },
): Promise<StoredMessage | undefined> {
  type Answer = { message: { seq: number; hdrs?: string } };
  const asked = ask<Answer>(wire, `STREAM.MSG.GET.${stream}`, which);
  const found = await unless(notFound.message, unless(notFound.stream, asked));
  if (!found) return undefined;
  const lines = Buffer.from(found.message.hdrs ?? '', 'base64')
    .toString('latin1')
    .split('\r\n');
  const header = (name: string): string =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? '';
  return { sequence: found.message.seq, header };
}

/** Whether trying again later may help: no answer, no leader, overload. A refusal stays one. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Unanswered) return true;
  return error instanceof ApiError && (error.code >= 500 || error.code === 429);
}

/** The answer; undefined when it was the refusal `errCode`. */
export async function unless<Answer>(
  errCode: number,
  asked: Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.errCode === errCode) return undefined;
    throw error;
  }
}
