/** What a test gives to have something made, and what it gets. */
import type { Instance, Tags } from './model.ts';

/** What is not given is as it usually is. */
export type New<T> = Partial<Omit<T, 'id'>> & { readonly id?: string };

export interface NewInstance {
  readonly subnet: string;
  readonly id?: string;
  /** IPv4; the next free one of the subnet when nothing is said. */
  readonly address?: string;
  readonly state?: Instance['state'];
  /** How many network interfaces there are besides the primary one; 0 at first. */
  readonly secondary?: number;
  /** true at first, as EC2 has it; 'unknown' leaves the field out of replies. */
  readonly sourceDestCheck?: boolean | 'unknown';
  readonly tags?: Tags;
}

/** An instance with what the Kubernetes side knows of it. */
export interface Machine {
  readonly id: string;
  readonly address: string;
  readonly zone: string;
  readonly subnet: string;
  /** The primary network interface. */
  readonly eni: string;
  /** `aws:///us-east-1a/i-0123…`. */
  readonly providerID: string;
}
