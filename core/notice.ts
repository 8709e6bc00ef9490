/** Kubernetes Events that Sluice records: a closed list of reasons, on the object itself. */

/** The closed list of reasons of Kubernetes Events (`what-people-see`: on the object itself). */
export type NoticeReason =
  | 'Assigned'
  | 'Moved'
  | 'Released'
  | 'NoMatchingNodeFound'
  | 'NoAvailableNode'
  | 'UnassignedRequest'
  | 'EgressIPConflict'
  | 'UnsupportedRequest'
  | 'InvalidEgressIP'
  | 'InvalidSelector'
  | 'InvalidNodeAnnotation'
  /** On an EgressIP: a policy of ours that is there but cannot be read. */
  | 'InvalidAnnotation'
  | 'CloudAssignmentRetry'
  | 'CloudUpdateFailed'
  | 'CloudAssignmentFailed'
  | 'CloudDeletionFailed'
  | 'ForeignWriter'
  /** On a CUDNBgpConfig or CUDNBgpRouting: its phase, or one of its conditions, changed. */
  | 'Pending'
  | 'Configuring'
  | 'Ready'
  | 'Degraded'
  | 'Deleting';

/** A Kubernetes Event to be recorded on the object of the decision. */
export interface Notice {
  readonly reason: NoticeReason;
  readonly type: 'Normal' | 'Warning';
  readonly note: string;
}
