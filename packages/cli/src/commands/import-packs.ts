import type { AdminModelImport } from '@framegate/contract'
import { confirm } from '../terminal/confirm.ts'
import { CommandFailure } from '../command-failure.ts'
import { callServer } from '../connection/call-server.ts'
import { exitCodes } from '../exit-codes.ts'
import { table } from '../terminal/table.ts'
import { explain, writeJsonList, writeLine } from '../terminal/write.ts'
import { describeImport, hasFailedTest, sendImport, type ImportOptions } from './send-import.ts'

/** Whether the sources are several packs. A pack is a model definition included in Framegate. */
export function areSeveralPacks(sources: readonly string[]): boolean {
  return sources.length > 1 && sources.every((source) => source.startsWith('pack:'))
}

/**
 * Imports packs one after the other, each with its routes in one transaction. Skips packs that were
 * imported before, unless `update` is set and the pack has changed. An interrupted command can
 * therefore be repeated.
 */
export async function importPacks(sources: readonly string[], options: ImportOptions): Promise<number> {
  const { json, dryRun = false, yes = false, update = false, as: id, upstream, price, ...rest } = options
  if (id !== undefined)
    throw new CommandFailure(exitCodes.usage, '--as names one model; import the packs one by one to name them.')
  const body = { ...(upstream !== undefined && { upstream }), ...(price !== undefined && { price }) }
  return callServer(rest, 'require server', async (session) => {
    const plans: { source: string; plan: AdminModelImport }[] = []
    for (const source of new Set(sources)) {
      plans.push({ source, plan: await sendImport(session, { ...body, sources: [source], dry_run: true }) })
    }
    const changedPlans = plans.filter(({ plan: { drift } }) => drift === null || (update && drift.length > 0))
    if (!json) writeLine(table(['PACK', 'MODEL ID', 'ROUTES', 'STATE'], plans.map(rowOf)))
    if (dryRun || changedPlans.length === 0) {
      if (json) writeJsonList(plans.map(({ plan }) => plan))
      return exitCodes.ok
    }
    if (!yes && !(await confirm(`Write ${changedPlans.length} models and their routes?`, session.call.signal))) {
      explain('Nothing was changed.')
      return exitCodes.failed
    }
    const savedImports: AdminModelImport[] = []
    for (const { source } of changedPlans) {
      const plan = await sendImport(session, { ...body, sources: [source], update })
      savedImports.push(plan)
      if (!json) writeLine(describeImport(plan))
    }
    if (json) writeJsonList(savedImports)
    return savedImports.some(hasFailedTest) ? exitCodes.failed : exitCodes.ok
  })
}

function rowOf({ source, plan: { model, routes, drift } }: { source: string; plan: AdminModelImport }): string[] {
  const state = drift === null ? 'new' : drift.length === 0 ? 'unchanged' : 'changed'
  return [source.slice('pack:'.length), String(model?.['id']), String(routes.length), state]
}
