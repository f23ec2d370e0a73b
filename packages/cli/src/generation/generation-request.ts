import { extname } from 'node:path'
import type { OtherParameters } from '@framegate/sdk'
import { defaultImageModel, defaultVideoModel } from './default-models.ts'
import type { GenerationOptions } from './generation-options.ts'
import { readReference } from './read-reference.ts'

export type GenerationRequest = { model: string } & OtherParameters

const imageExtensions = new Set(['.png', '.jpg', '.jpeg', '.webp'])

/**
 * Builds the body of the submit request. The values are validated by the server, which knows the
 * parameters of each model.
 */
export async function generationRequest(prompt: string, options: GenerationOptions): Promise<GenerationRequest> {
  const request = await requestWithoutPrompt(options)
  return { ...(await promptFields(request.model, prompt)), ...request }
}

/** Returns the prompt as a field with the name that the model uses for prompts. */
export async function promptFields(model: string, prompt: string): Promise<OtherParameters> {
  if (model === 'text-translate') return { text: prompt }
  return model === 'text-caption' ? { image: await readReference(prompt) } : { prompt }
}

/** Returns the fields of the body that are the same for all prompts of a command. */
export async function requestWithoutPrompt(options: GenerationOptions): Promise<GenerationRequest> {
  const { reference, firstFrame, lastFrame } = options
  return {
    model: options.model ?? defaultModelFor(options.output),
    negative_prompt: options.negativePrompt,
    aspect_ratio: options.aspectRatio,
    resolution: options.resolution,
    seconds: options.seconds,
    reference_images: reference && (await Promise.all(reference.map(readReference))),
    first_frame: firstFrame === undefined ? undefined : await readReference(firstFrame),
    last_frame: lastFrame === undefined ? undefined : await readReference(lastFrame),
    audio: options.audio,
    watermark: options.watermark,
    seed: options.seed,
    improve_prompt: options.improvePrompt,
    ...options.param,
  }
}

function defaultModelFor(output: string | undefined): string {
  const isImage = output !== undefined && imageExtensions.has(extname(output).toLowerCase())
  return isImage ? defaultImageModel : defaultVideoModel
}
