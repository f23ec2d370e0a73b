import type { GenerationParameters } from '../../catalogue/generation-parameters.ts'
import type { ParameterRefusal } from '../upstream/upstream-driver.ts'

/** Completes the sentence of an error message. */
export const noDecoderReason =
  'the service has no ffmpeg to decode videos and sound; send images, or ask the operator to install ffmpeg'

/**
 * Returns a function that refuses requests which the embedded driver cannot serve on this machine.
 */
export function createRefuseInputs(
  hasVideoDecoder: () => boolean,
): (parameters: GenerationParameters) => ParameterRefusal | null {
  return ({ input_video, input_audio, reference_videos = [] }) => {
    if (hasVideoDecoder()) return null
    const inputs = { input_video, input_audio, reference_videos: reference_videos[0] }
    const parameter = (Object.keys(inputs) as (keyof typeof inputs)[]).find((name) => inputs[name] !== undefined)
    return parameter === undefined ? null : { parameter, message: `${parameter} cannot be used here: ${noDecoderReason}` }
  }
}
