/** Work done on as many threads as there are processors: whoever is free takes the next order. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';
import { must } from '../../core/assert.ts';

/**
 * Sends each order to a thread that runs `program`; `onDone` is told what came of it,
 * and how many milliseconds it took. Orders are taken when a thread is free.
 */
export async function onThreads<Order, Done>(
  program: URL,
  orders: Iterable<Order>,
  onDone: (done: Done, order: Order, ms: number) => void,
  resourceLimits: ResourceLimits = {},
): Promise<void> {
  const rest = orders[Symbol.iterator]();
  const work = async (): Promise<void> => {
    let worker: Worker | undefined;
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      const begunMs = performance.now();
      worker ??= new Worker(program, { resourceLimits });
      worker.postMessage(next.value);
      const [done] = (await once(worker, 'message')) as [Done];
      onDone(done, next.value, performance.now() - begunMs);
    }
    await worker?.terminate();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** In the program of a thread: does each order, one after the other, and tells what came of it. */
export function serveOrders<Order, Done>(serve: (order: Order) => Promise<Done>): void {
  const port = must(parentPort ?? undefined, 'the thread that sends the orders');
  port.on('message', (order: Order) => {
    void serve(order).then((done) => port.postMessage(done));
  });
}
