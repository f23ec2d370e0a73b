import type { Violation } from '@framegate/contract'
import { findInputViolations } from '../lib/find-input-violations.ts'
import type { ProbedInput } from '../lib/input-limits.ts'
import { isMediaParameter, mediaParameters } from '../catalogue/generation-parameters.ts'
import { mediaReferences, type MediaReference } from '../catalogue/media-references.ts'
import type { Model, ParsedParameters } from '../catalogue/model.ts'
import { validationError } from '../catalogue/validation-error.ts'
import { assetIdIn } from '../identity/asset-id.ts'
import { AppError } from '../lib/app-error.ts'
import type { MediaFacts } from '../lib/media-type.ts'

/** Reads the properties of input files. */
export interface InputInspector {
  /** Resolves to undefined if the account has no such asset. */
  factsOfAsset(accountNo: number, assetId: string): Promise<MediaFacts | undefined>
  /**
   * Fetches the URL or decodes the data URI in `source`, and probes the file. Throws an `AppError`
   * whose message begins with `fieldName`, the position of the file in the request.
   */
  factsOfSource(accountNo: number, source: string, fieldName: string, signal: AbortSignal): Promise<MediaFacts>
}

const checkMsMax = 90_000

/**
 * Probes and checks the input files of a request before credits are held. Each file must have the
 * kind that its parameter requires, and all files must be within the limits of the model. Images
 * that are not assets are checked later, when the task runs. Missing assets are detected by the
 * commit that accepts the task.
 */
export async function checkInputs(
  inspector: InputInspector,
  model: Pick<Model, 'inputLimits'>,
  { accountNo, parameters, signal }: { accountNo: number; parameters: ParsedParameters; signal?: AbortSignal | undefined },
): Promise<ProbedInput[]> {
  const references = mediaReferences(parameters)
  const checkedReferences = references.filter(({ kind, source }) => kind !== 'image' || assetIdIn(source) !== undefined)
  if (checkedReferences.length === 0) return []
  const inputs = await inspectAll(inspector, accountNo, checkedReferences, signal)
  const violations = [...inputs.flatMap(wrongKindViolations), ...limitViolations(inputs, model, references.length)]
  if (violations.length > 0) throw validationError(violations)
  return inputs
}

/**
 * Inspects all files. If one fails, the others are aborted and awaited, so that no work continues
 * after the response.
 */
async function inspectAll(
  inspector: InputInspector,
  accountNo: number,
  references: readonly MediaReference[],
  clientSignal: AbortSignal | undefined,
): Promise<ProbedInput[]> {
  const failController = new AbortController()
  const timeoutSignal = AbortSignal.timeout(checkMsMax)
  const signal = AbortSignal.any([failController.signal, timeoutSignal, ...(clientSignal === undefined ? [] : [clientSignal])])
  const checks = await Promise.allSettled(
    references.map(async (reference) => {
      try {
        return await inspectOne(inspector, accountNo, reference, signal)
      } catch (cause) {
        const error = cause === timeoutSignal.reason ? tooSlow(reference) : cause
        failController.abort(error)
        throw error
      }
    }),
  )
  // The first failure aborted the others, so it is the one to report.
  if (failController.signal.aborted) throw failController.signal.reason
  return checks.flatMap((check) => (check.status === 'fulfilled' ? (check.value ?? []) : []))
}

async function inspectOne(
  inspector: InputInspector,
  accountNo: number,
  { source, parameter, fieldName, pointer }: MediaReference,
  signal: AbortSignal,
): Promise<ProbedInput | undefined> {
  const assetId = assetIdIn(source)
  const facts =
    assetId === undefined
      ? await inspector.factsOfSource(accountNo, source, fieldName, signal).catch((cause: unknown) => {
          throw toViolationError(cause, fieldName, pointer)
        })
      : await inspector.factsOfAsset(accountNo, assetId)
  return facts && { parameter, fieldName, pointer, facts }
}

function tooSlow({ fieldName, pointer }: MediaReference): AppError {
  const message = `${fieldName}: the file did not arrive within ${checkMsMax / 1000} seconds; send a URL of a faster server, or upload the file as an asset`
  return validationError([{ pointer, code: 'reference_unreachable', message }])
}

function toViolationError(cause: unknown, fieldName: string, pointer: string): unknown {
  if (!(cause instanceof AppError)) return cause
  const { code, message } = cause
  if (code === 'body_too_large')
    return validationError([{ pointer, code: 'invalid_parameter', message: `${fieldName}: ${message}` }])
  return code === 'invalid_parameter' || code === 'reference_unreachable' ? validationError([{ pointer, code, message }]) : cause
}

function limitViolations(
  inputs: readonly ProbedInput[],
  { inputLimits = {} }: Pick<Model, 'inputLimits'>,
  fileCount: number,
): Violation[] {
  return findInputViolations(inputs, inputLimits, fileCount).map(({ pointer, message }) => ({
    pointer,
    code: 'invalid_parameter',
    message,
  }))
}

const kindNouns = { image: 'an image', video: 'a video', audio: 'sound' } as const

function wrongKindViolations({ parameter, fieldName, pointer, facts }: ProbedInput): Violation[] {
  const kind = isMediaParameter(parameter) ? mediaParameters[parameter] : facts.kind
  if (kind === facts.kind) return []
  return [
    { pointer, code: 'invalid_parameter', message: `${fieldName} must be ${kindNouns[kind]}; this is ${kindNouns[facts.kind]}` },
  ]
}
