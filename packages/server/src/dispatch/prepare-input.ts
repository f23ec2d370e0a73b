import type { GenerationParameters } from '../catalogue/generation-parameters.ts'
import { readAssetSizes, readImages } from '../db/read-inputs.ts'
import type { Store } from '../db/store.ts'
import type { Claim } from '../db/task-queue.ts'
import { fileBytesMax, type Driver, type GenerationRequest } from '../drivers/driver.ts'
import { taskNoOf } from '../identity/task-id.ts'
import { readImprovesPrompt, readParametersWithoutContents } from '../tasks/parameters-text.ts'
import { AttemptInput } from './attempt-input.ts'
import { improvePrompt } from './improve-prompt.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'
import type { RunningTask } from './running-task.ts'
import type { TaskContext, TaskDependencies } from './task-dependencies.ts'

/** Returns the input of the attempt, or null if the work was stopped. */
export async function prepareInput(
  running: RunningTask,
  { facts, connection: { driver } }: Pick<TaskContext, 'facts' | 'connection'>,
  dependencies: TaskDependencies,
): Promise<AttemptInput | null> {
  const { claim, attemptId } = running
  const { findWatermarkDesign } = dependencies
  const { simulate = null, ...parameters } = readParametersWithoutContents(claim.task.parameters)
  if (readImprovesPrompt(claim.task.parameters)) {
    const prompt = await improvePrompt(running, { parameters, facts, simulate }, dependencies)
    if (prompt === null) return null
    parameters.prompt = prompt
  }
  const { model, object, accountNo } = claim.task
  let request: GenerationRequest = { attemptId, model, object, size: facts.size(parameters), parameters, simulate }
  if (parameters.watermark === true && findWatermarkDesign !== undefined) {
    const watermarkDesign = await retryWhileUnavailable(running, () => findWatermarkDesign(accountNo))
    if (watermarkDesign === null) return null
    request = { ...request, watermarkDesign }
  }
  return maySubmit(running, driver) ? readFiles(running, { request, driver }, dependencies) : new AttemptInput(request)
}

/** Whether the driver may submit the job. Look-ups and polls need no files. */
function maySubmit({ attempt }: RunningTask, driver: Pick<Driver, 'isStartIdempotent' | 'findsBySubmitting'>): boolean {
  if (driver.isStartIdempotent || !attempt.resumed) return true
  return attempt.operation === null && driver.findsBySubmitting === true
}

/**
 * Adds the input files to the request. An attempt with large files waits until memory is available,
 * except at the embedded driver, which limits the number of its jobs. Returns null if the work was
 * stopped.
 */
async function readFiles(
  running: RunningTask,
  { request, driver }: { request: GenerationRequest; driver: Pick<Driver, 'isStartIdempotent'> },
  { store, inputMemoryOf }: Pick<TaskDependencies, 'store' | 'inputMemoryOf'>,
): Promise<AttemptInput | null> {
  const { claim, attempt, signal } = running
  const { id, images, task } = claim
  if ('text' in images && images.text === null) return new AttemptInput(request)
  const bytes = driver.isStartIdempotent ? 0 : await retryWhileUnavailable(running, () => bytesOfFiles(claim, store))
  if (bytes === null) return null
  using memory = new DisposableStack()
  if (bytes > 0) {
    const share = await inputMemoryOf(attempt.pools).acquire({ accountNo: task.accountNo, bytes }, signal)
    if (share === null) return null
    memory.use(share)
  }
  const readText = async () => ({ text: await readImages(store.database, taskNoOf(id)) })
  const files = 'text' in images ? images : await retryWhileUnavailable(running, readText)
  if (files === null) return null
  const media = files.text === null ? {} : (JSON.parse(files.text) as GenerationParameters)
  return new AttemptInput({ ...request, parameters: { ...request.parameters, ...media } }, request, memory.move())
}

/**
 * Returns the size of a task's large data URIs, and of the assets that a driver may read into
 * memory. Larger assets are only sent as links.
 */
async function bytesOfFiles({ id, images }: Claim, { database }: Pick<Store, 'database'>): Promise<number> {
  const mayNameAssets = !('text' in images) || images.text?.includes('asset:') === true
  const assetSizes = mayNameAssets ? await readAssetSizes(database, taskNoOf(id)) : []
  const bytesOfUris = 'text' in images ? 0 : images.bytes
  return assetSizes.filter((bytes) => bytes <= fileBytesMax).reduce((sum, bytes) => sum + bytes, bytesOfUris)
}
