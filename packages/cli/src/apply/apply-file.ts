import type { IssuedApiKey } from '@framegate/contract'
import { CommandFailure } from '../command-failure.ts'
import type { ServerSession } from '../connection/call-server.ts'
import { explainFailure } from '../connection/connect.ts'
import { exitCodes } from '../exit-codes.ts'
import { writeSecret } from '../operation/create-secret.ts'
import { confirm } from '../terminal/confirm.ts'
import { plainText, writeToStderr, writeJson, writeLine, writeOrFail } from '../terminal/write.ts'
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
    if (options.json) writeJson({ keys: [], changes: changesOf(steps, null) })
    else writeLine(steps.length === 0 ? 'Nothing to change.' : planText(steps))
    return steps.length === 0 ? exitCodes.ok : exitCodes.differs
  }
  if (!options.json) await writeBeforeChanges(`${planText(steps)}\n`)
  if (!options.yes && !(await confirm(`Apply ${countText(steps.length)}?`, initialSession.call.signal))) {
    writeToStderr('Nothing was changed.')
    return exitCodes.failed
  }
  // The JSON is written in parts, so that a new secret is in the output before the next step runs.
  if (options.json) await writeBeforeChanges('{"keys":[')
  let separator = ''
  const outcome = await runPlan(steps, session, async (step, key) => {
    if (!options.json) writeToStderr(`done: ${stepText(step)}`)
    if (key === undefined) return
    if (!options.json) return showKey(key)
    await writeSecret(`${separator}${JSON.stringify(keyView(key))}`, 'keys', key.id)
    separator = ','
  })
  if (options.json) writeLine(`],"changes":${JSON.stringify(changesOf(steps, outcome))}}`)
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

/** Throws if the output was closed, so that no secret is lost. */
async function writeBeforeChanges(text: string): Promise<void> {
  try {
    await writeOrFail(text)
  } catch (cause) {
    throw new CommandFailure(exitCodes.failed, 'Nothing was changed, because the output cannot be written.', { cause })
  }
}

async function showKey({ id, name, key }: IssuedApiKey): Promise<void> {
  writeToStderr(`Secret of the key ${plainText(name)} (${id}). It is not shown again:`)
  await writeSecret(`${key}\n`, 'keys', id)
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

/** Returns the field `changes` of the output of `--json`. */
function changesOf(steps: readonly Step[], outcome: Outcome | null): object[] {
  return steps.map((step) => ({
    action: step.action,
    kind: step.kind,
    name: step.name,
    fields: step.fields,
    done: outcome?.done.includes(step) ?? false,
  }))
}

/** Returns an item of the field `keys` of the output of `--json`. */
function keyView({ id, account, name, key }: IssuedApiKey): object {
  return { id, account, name, key }
}
