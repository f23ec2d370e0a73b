import type { IssuedApiKey } from '@framegate/contract'
import { CommandFailure } from '../command-failure.ts'
import type { ServerSession } from '../connection/call-server.ts'
import { explainFailure } from '../connection/connect.ts'
import { exitCodes } from '../exit-codes.ts'
import { confirm } from '../terminal/confirm.ts'
import { plainText, writeToStderr, writeJson, writeLine } from '../terminal/write.ts'
import { readInstallation } from './installation.ts'
import type { Violation } from './located.ts'
import { planChanges } from './plan.ts'
import { readAppliedFile } from './read-file.ts'
import { runPlan, type Outcome } from './run-plan.ts'
import { countText, planText, stepText } from './show-plan.ts'
import type { Step } from './step.ts'

export interface ApplyOptions {
  file: string
  prune?: true
  dryRun?: true
  yes?: true
  json?: true
}

/** Changes the installation so that it matches the file. Returns the exit code. */
export async function applyFile(options: ApplyOptions, initialSession: ServerSession): Promise<number> {
  const { file, violations } = readAppliedFile(options.file)
  requireNoViolations(options.file, violations)
  const session = withoutRateLimitNotices(initialSession)
  const installation = await readInstallation(session)
  const steps = await planChanges({
    file,
    installation,
    shouldPrune: options.prune === true,
    violations,
    baseUrl: initialSession.baseUrl,
  })
  requireNoViolations(options.file, violations)

  if (options.dryRun || steps.length === 0) {
    if (options.json) writeJson(report(steps, null, []))
    else writeLine(steps.length === 0 ? 'Nothing to change.' : planText(steps))
    return steps.length === 0 ? exitCodes.ok : exitCodes.differs
  }
  if (!options.json) writeLine(planText(steps))
  if (!options.yes && !(await confirm(`Apply ${countText(steps.length)}?`, initialSession.call.signal))) {
    writeToStderr('Nothing was changed.')
    return exitCodes.failed
  }
  const keys: IssuedApiKey[] = []
  const outcome = await runPlan(steps, session, (step, key) => {
    if (key !== undefined) keys.push(key)
    if (options.json) return
    writeToStderr(`done: ${stepText(step)}`)
    if (key !== undefined) showKey(key)
  })
  if (options.json) writeJson(report(steps, outcome, keys))
  return conclude(steps, outcome, initialSession.call.signal)
}

/**
 * Suppresses retry notices about the rate limit. With a long file, some requests exceed the rate
 * limit of an operator key and succeed a second later.
 */
function withoutRateLimitNotices(session: ServerSession): ServerSession {
  const { call } = session
  return { ...session, call: { ...call, onRetry: (retry) => retry.error.code === 'rate_limited' || call.onRetry(retry) } }
}

function requireNoViolations(path: string, violations: readonly Violation[]): void {
  if (violations.length === 0) return
  const lines = violations
    .toSorted((left, right) => left.line - right.line || left.column - right.column)
    .map(({ line, column, field, message }) => `${path}:${line}:${column}: ${field === '' ? 'the file' : field} ${message}`)
  throw new CommandFailure(exitCodes.usage, [...lines, 'Nothing was changed.'].map(plainText).join('\n'))
}

function showKey({ id, name, key }: IssuedApiKey): void {
  writeToStderr(`Secret of the key ${plainText(name)} (${id}). It is not shown again:`)
  writeLine(key)
}

function conclude(steps: readonly Step[], { done, failed }: Outcome, signal: AbortSignal): number {
  if (failed === null) {
    writeToStderr(`${countText(done.length)} made.`)
    return exitCodes.ok
  }
  const progressNotice = `${done.length} of ${countText(steps.length)} applied. Run the same command again to continue.`
  if (signal.aborted) {
    writeToStderr(progressNotice)
    throw signal.reason
  }
  const explanation = explainFailure(failed.cause)
  const reason = explanation instanceof Error ? explanation.message : String(explanation)
  throw new CommandFailure(exitCodes.failed, `failed: ${stepText(failed.step)}\n${reason}\n${progressNotice}`, {
    cause: failed.cause,
  })
}

/** Returns the output of `--json`. */
function report(steps: readonly Step[], outcome: Outcome | null, keys: readonly IssuedApiKey[]): object {
  return {
    changes: steps.map((step) => ({
      action: step.action,
      kind: step.kind,
      name: step.name,
      fields: step.fields,
      done: outcome?.done.includes(step) ?? false,
    })),
    keys: keys.map(({ id, account, name, key }) => ({ id, account, name, key })),
  }
}
