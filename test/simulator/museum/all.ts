/** The whole museum. */
import { knownMutants } from './known-mutants.ts';
import { type Mutant, mutants } from './mutants.ts';
import { routingMutants } from './routing-mutants.ts';

export const museum: readonly Mutant[] = [...mutants, ...routingMutants, ...knownMutants];
