import type { ServiceResolution, TaskObject } from '@framegate/contract'
import { sql, type Kysely } from 'kysely'
import type { AttemptCosts } from '../db/task-queue.ts'
import type { Tables } from '../db/tables.ts'
import { unlessDeleted } from '../db/unless-deleted.ts'
import type { Clock } from '../lib/clock.ts'
import { taskIdOf, taskNoOf } from '../identity/task-id.ts'

/**
 * Reads and resolves attempts that may have caused costs without a charge to any account. Each
 * attempt stays on the operator's list until an operator resolves it or the service learns that its
 * job has produced nothing.
 */
export interface UnresolvedAttempts {
  /**
   * Returns attempts whose job may continue at the upstream although their task has ended, in the
   * order of their tasks.
   */
  listOverdue(query: OverdueQuery): Promise<OverdueAttempt[]>
  /**
   * Returns at most 500 attempts that ended before this time and still occupy slots, whatever the
   * state of their job.
   */
  listHoldingSlots(endedBeforeMs: number): Promise<{ taskId: string; number: number }[]>
  /** Records that the job was completed after its task had ended. */
  recordLateEnd(taskId: string, number: number, costs: AttemptCosts): Promise<void>
  /** Records, after the task has ended, that the response to the submit of the job was lost. */
  recordLostReply(taskId: string, number: number, detail: string | null): Promise<void>
  /**
   * Resolves an attempt that no operator needs to review. `never_started` has no effect on an
   * attempt whose upstream has accepted a job. By default, the attempt has cost nothing.
   */
  close(taskId: string, number: number, resolution: ServiceResolution, costs?: AttemptCosts): Promise<void>
}

const slotsPerBatchMax = 500

export interface OverdueQuery {
  limit: number
  /** Cursor: the query returns only attempts after this one, in the order of the list. */
  after: { taskNo: number; number: number } | null
  endedAfterMs: number
}

export interface OverdueAttempt {
  taskNo: number
  taskId: string
  number: number
  snapshotNo: number
  upstreamPool: number | null
  operation: string | null
  model: string
  modelVersionNo: number | null
  object: TaskObject
  parameters: string
  endedAtMs: number
}

export function createUnresolvedAttempts(database: Kysely<Tables>, clock: Clock): UnresolvedAttempts {
  return {
    async listOverdue({ limit, after, endedAfterMs }) {
      const rows = await database
        .selectFrom('task_attempts as a')
        .innerJoin('tasks as t', 't.no', 'a.task_no')
        .select([
          'a.task_no',
          'a.number',
          'a.snapshot_no',
          'a.upstream_pool',
          'a.operation',
          'a.ended_at',
          't.tail',
          't.model',
          't.model_version_no',
          't.object',
          't.parameters',
        ])
        .where('a.unresolved', '=', 'overdue')
        .where('a.closed_at', 'is', null)
        .where('a.ended_at', '>', endedAfterMs)
        .$if(after !== null, (select) =>
          select.where((builder) =>
            builder.or([
              builder('a.task_no', '>', after?.taskNo ?? 0),
              builder.and([builder('a.task_no', '=', after?.taskNo ?? 0), builder('a.number', '>', after?.number ?? 0)]),
            ]),
          ),
        )
        .orderBy('a.task_no')
        .orderBy('a.number')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        taskNo: row.task_no,
        taskId: taskIdOf(row.task_no, row.tail),
        number: row.number,
        snapshotNo: row.snapshot_no,
        upstreamPool: row.upstream_pool,
        operation: row.operation,
        model: row.model,
        modelVersionNo: row.model_version_no,
        object: row.object,
        parameters: row.parameters,
        endedAtMs: row.ended_at ?? 0,
      }))
    },

    async listHoldingSlots(endedBeforeMs) {
      // Uses the index task_attempts_ended_slots_idx on PostgreSQL, and task_attempts_holds_slot_idx
      // on SQLite. Without the order, PostgreSQL could read all attempts in the order of their tasks
      // instead, because it overestimates the number of results while many attempts are in flight.
      const rows = await database
        .selectFrom('task_attempts as a')
        .innerJoin('tasks as t', 't.no', 'a.task_no')
        .select(['a.task_no', 'a.number', 't.tail'])
        .where('a.holds_slot', '=', 1)
        .where('a.upstream_pool', 'is not', null)
        .where('a.ended_at', '<', endedBeforeMs)
        .orderBy('a.ended_at')
        .limit(slotsPerBatchMax)
        .execute()
      return rows.map(({ task_no, number, tail }) => ({ taskId: taskIdOf(task_no, tail), number }))
    },

    async recordLateEnd(taskId, number, { cost, paidMicroCredits: paid }) {
      await database
        .updateTable('task_attempts')
        .set({
          unresolved: 'late',
          cost: cost?.amount ?? null,
          cost_unit: cost?.unit ?? null,
          paid,
          operation: unlessDeleted(sql.ref('operation')),
        })
        .where('task_no', '=', taskNoOf(taskId))
        .where('number', '=', number)
        .where('closed_at', 'is', null)
        .execute()
    },

    async recordLostReply(taskId, number, detail) {
      await database
        .updateTable('task_attempts')
        .set({ unresolved: 'lost_reply', detail: unlessDeleted(sql.val(detail)) })
        .where('task_no', '=', taskNoOf(taskId))
        .where('number', '=', number)
        .where('unresolved', '=', 'overdue')
        .where('operation', 'is', null)
        .where('closed_at', 'is', null)
        .execute()
    },

    async close(taskId, number, resolution, { cost, paidMicroCredits: paid } = { cost: null, paidMicroCredits: 0 }) {
      await database
        .updateTable('task_attempts')
        .set({
          closed_at: clock(),
          closing: resolution,
          cost: cost?.amount ?? null,
          cost_unit: cost?.unit ?? null,
          paid,
          operation: unlessDeleted(sql.ref('operation')),
        })
        .where('task_no', '=', taskNoOf(taskId))
        .where('number', '=', number)
        .where('unresolved', 'is not', null)
        .where('closed_at', 'is', null)
        .$if(resolution === 'never_started', (update) => update.where('operation', 'is', null))
        .execute()
    },
  }
}
