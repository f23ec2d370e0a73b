import type * as RendererModule from '@framegate/renderer'
import type { GenerationParameters } from '../../catalogue/generation-parameters.ts'
import type { DriverOutput, GenerationRequest } from '../driver.ts'

type Renderer = Pick<typeof RendererModule, 'enhancePrompt' | 'writeStoryboard'>
type WriteText = (renderer: Renderer, parameters: GenerationParameters) => string

/** Writers of the texts that the embedded driver generates with the renderer, by Model ID. */
const writerByModel: Readonly<Record<string, WriteText>> = {
  'text-prompt-enhance': ({ enhancePrompt }, { prompt = '', for: purpose, style }) =>
    enhancePrompt(prompt, { isVideo: purpose === 'video', ...(typeof style === 'string' && { style }) }),
  'text-storyboard': ({ writeStoryboard }, { prompt = '', shots }) => writeStoryboard(prompt, Number(shots)),
}

/** Writers of the results of simulated tasks, for the text models that only providers serve. */
const sampleWriterByModel: Readonly<Record<string, WriteText>> = {
  'text-translate': (_renderer, { text }) => String(text),
  'text-caption': () => 'A simulated description of the image.',
}

function isEmbeddedText(model: string): boolean {
  return Object.hasOwn(writerByModel, model)
}

/**
 * Returns a function that determines whether the embedded driver writes the texts of a model. Its
 * result is null for an unknown model and for a model whose results are not texts.
 */
export function embeddedTextsOf(catalogue: {
  find(modelId: string): { object: string } | undefined
}): (modelId: string) => boolean | null {
  return (modelId) => (catalogue.find(modelId)?.object === 'text' ? isEmbeddedText(modelId) : null)
}

/** Generates the text for a request, and returns an output that contains it. */
export async function writeText({ model, parameters, simulate }: GenerationRequest): Promise<DriverOutput> {
  const write = writerByModel[model] ?? (simulate === null ? undefined : sampleWriterByModel[model])
  if (write === undefined) throw new Error(`the embedded driver does not write the texts of ${model}`)
  const text = write(await import('@framegate/renderer'), parameters)
  return { contentType: 'text/plain', location: { text }, engine: 'embedded' }
}

/** Returns the text in an output. Undefined if the output is not a text. */
export function textIn({ location }: DriverOutput): string | undefined {
  if (typeof location !== 'object' || location === null || Array.isArray(location)) return undefined
  return typeof location['text'] === 'string' ? location['text'] : undefined
}
