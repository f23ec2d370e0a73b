import type { Store } from '../db/store.ts'
import type { Logger } from '../lib/logger.ts'
import type { RouteConnection } from '../routing/connection.ts'
import type { RouteHealth } from '../routing/route-health.ts'
import type { Routes } from '../routing/routes.ts'
import type { StageDependencies } from './run-stage.ts'

export interface AttemptDependencies extends StageDependencies {
  store: Pick<Store, 'beginAttempt' | 'markReplyLost' | 'recordOperation'>
  routes: Pick<Routes, 'pollLimiterOf'> & {
    health: Pick<RouteHealth, 'recordAccepted' | 'recordNoResponse' | 'recordRefused' | 'remainingPauseMs'>
  }
  connection: RouteConnection
  /**
   * Ends the task at the deadline of its attempt. Called while the service still waits for the
   * response to the submit.
   */
  endAtDeadline(): Promise<void>
  logger: Logger
  /**
   * Delays in milliseconds before the look-ups of a job whose submit received no response. Each
   * delay starts when the submit or the previous look-up has failed.
   */
  findDelaysMs: readonly number[]
}
