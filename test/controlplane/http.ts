/** What a health port answers. */
import { get } from 'node:http';

interface Answer {
  /** 0 = no answer within a second. */
  readonly status: number;
  /** Or why there is no answer. */
  readonly body: string;
}

/** Whether a URL answers 200 within a second. */
export async function answers(url: string): Promise<boolean> {
  return (await fetchOnce(url)).status === 200;
}

/** The text that a URL answers, whatever the status, or why it answers none. */
export async function bodyOf(url: string): Promise<string> {
  return (await fetchOnce(url)).body;
}

function fetchOnce(url: string): Promise<Answer> {
  return new Promise((resolve) => {
    // A connection each: a frozen server must not hold up the next question.
    const sent = get(url, { agent: false, timeout: 1_000 }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.on('error', (error) => resolve({ status: 0, body: error.message }));
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer within 1 s')));
    sent.on('error', (error) => resolve({ status: 0, body: error.message }));
  });
}
