import type { GenerationParameters } from '../../catalogue/generation-parameters.ts'

export type InputNoun = 'Image' | 'Video' | 'Audio'

const namePattern = /\b(Image|Video|Audio) (\d{1,2})\b/g

/**
 * Replaces names of inputs in the prompt, such as `Video 1`, with the provider's names. The inputs
 * of each type are numbered from 1. A name without an input stays unchanged.
 */
export function withInputNames(
  { prompt, reference_images = [], reference_videos = [], reference_audios = [], input_video, input_audio }: GenerationParameters,
  nameOf: (noun: InputNoun, number: number) => string,
): string | undefined {
  const counts: Readonly<Record<InputNoun, number>> = {
    Image: reference_images.length,
    Video: reference_videos.length + (input_video === undefined ? 0 : 1),
    Audio: reference_audios.length + (input_audio === undefined ? 0 : 1),
  }
  return prompt?.replaceAll(namePattern, (match: string, noun: InputNoun, digits: string) => {
    const number = Number(digits)
    return number >= 1 && number <= counts[noun] ? nameOf(noun, number) : match
  })
}
