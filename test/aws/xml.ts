/** Answers as XML: what EC2 and STS send, and what the SDK's parser reads (facts 1.2). */

export type Xml = string | number | boolean | undefined | readonly Xml[] | XmlObject;

export interface XmlObject {
  readonly [element: string]: Xml;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escape = (value: string): string => value.replace(/[&<>"]/g, (char) => escapes[char] ?? '');

/** One element; nothing for undefined, `<x/>` for an empty list, an `item` per entry otherwise. */
export function element(name: string, value: Xml, attributes = ''): string {
  if (value === undefined) return '';
  const inner = content(value);
  return inner === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${inner}</${name}>`;
}

function content(value: Xml): string {
  if (Array.isArray(value)) return value.map((item: Xml) => element('item', item)).join('');
  if (typeof value !== 'object') return escape(String(value));
  return Object.entries(value)
    .map(([name, child]: [string, Xml]) => element(name, child))
    .join('');
}

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function ec2Success(action: string, requestId: string, body: XmlObject): string {
  const namespace = ' xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"';
  return head + element(`${action}Response`, { requestId, ...body }, namespace);
}

export function ec2Failure(requestId: string, code: string, message: string): string {
  const error = { Errors: { Error: { Code: code, Message: message } }, RequestID: requestId };
  return head + element('Response', error);
}

const stsNamespace = ' xmlns="https://sts.amazonaws.com/doc/2011-06-15/"';

export function stsSuccess(action: string, requestId: string, body: XmlObject): string {
  const answer = { [`${action}Result`]: body, ResponseMetadata: { RequestId: requestId } };
  return head + element(`${action}Response`, answer, stsNamespace);
}

export function stsFailure(
  requestId: string,
  status: number,
  code: string,
  message: string,
): string {
  const type = status < 500 ? 'Sender' : 'Receiver';
  const error = { Error: { Type: type, Code: code, Message: message }, RequestId: requestId };
  return head + element('ErrorResponse', error, stsNamespace);
}
