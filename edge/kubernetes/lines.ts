/** Cuts a stream of bytes into lines; neither a character nor a line need arrive in one piece. */
import { StringDecoder } from 'node:string_decoder';

export class Lines {
  readonly #decoder = new StringDecoder('utf8');
  /** Pieces of the line that has not ended yet; joined once, as a line may take many chunks. */
  #pieces: string[] = [];

  /** The lines that `chunk` completes, without those that are blank. */
  push(chunk: Uint8Array): readonly string[] {
    const parts = this.#decoder.write(Buffer.from(chunk)).split('\n');
    const rest = parts.pop() ?? '';
    const first = parts.shift();
    if (first === undefined) {
      this.#pieces.push(rest);
      return [];
    }
    const whole = [this.#pieces.join('') + first, ...parts];
    this.#pieces = [rest];
    return whole.filter((line) => line.trim() !== '');
  }
}
