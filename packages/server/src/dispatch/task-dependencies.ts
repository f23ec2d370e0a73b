import type { Store } from '../db/store.ts'
import type { AttemptPools } from '../db/task-queue.ts'
import type { GenerationRequest } from '../drivers/driver.ts'
import type { Logger } from '../lib/logger.ts'
import type { RouteConnection } from '../routing/connection.ts'
import type { RouteHealth } from '../routing/route-health.ts'
import type { Routes } from '../routing/routes.ts'
import type { WatermarkDesign } from '../watermark/watermark-design.ts'
import type { AttemptDependencies } from './attempt-dependencies.ts'
import type { Collector } from './collect-result.ts'
import type { InputMemory } from './input-memory.ts'
import type { FindModelFacts, ModelFacts } from './model-facts.ts'
import type { RunningTask } from './running-task.ts'
import type { StageDependencies } from './run-stage.ts'
import type { UnresolvedAttempts } from './unresolved-attempts.ts'

export interface TaskDependencies extends StageDependencies {
  store: Store
  routes: AttemptDependencies['routes'] &
    Pick<Routes, 'connection' | 'connect' | 'byPriority' | 'accepts' | 'placeAfterRefusal'> & {
      health: Pick<RouteHealth, 'recordRouteRefused'>
    }
  unresolved: Pick<UnresolvedAttempts, 'close' | 'recordLostReply'>
  findModelFacts: FindModelFacts
  /** Returns the watermark design of an account's brand. Default: the product's design. */
  findWatermarkDesign?: ((accountNo: number) => Promise<WatermarkDesign>) | undefined
  collector: Collector
  /**
   * Returns the memory for the input files of attempts at an upstream. Each upstream has its own, so
   * that one that does not respond does not delay the attempts at others.
   */
  inputMemoryOf(pools: AttemptPools | null): InputMemory
  logger: Logger
  /**
   * Delays in milliseconds before the look-ups of a job whose submit received no response. Each
   * delay starts when the submit or the previous look-up has failed.
   */
  findDelaysMs: readonly number[]
}

/** A running task with its request, its connection and the facts of its model. */
export interface TaskContext {
  running: RunningTask
  request: GenerationRequest
  facts: ModelFacts
  connection: RouteConnection
}
