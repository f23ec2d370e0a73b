import { rm } from 'node:fs/promises'
import { isAudioType } from '../../lib/media-type.ts'
import { soundCommand, type Command } from './ffmpeg-decoder.ts'
import { openInputFile, type InputFileDependencies } from './open-input-file.ts'

/** Opens an untrusted audio file. Throws an `InvalidImage`. */
export type OpenInputSound = (source: string, options: { position: string; signal: AbortSignal }) => Promise<InputSound>

/** A probed audio file in the scratch folder, which disposal removes. */
export interface InputSound extends AsyncDisposable {
  readonly seconds: number
  /** Returns a command that writes the first seconds to its standard output. */
  soundCommand(seconds: number): Command
}

export function createOpenInputSound(dependencies: InputFileDependencies): OpenInputSound {
  return async function openInputSound(source, { position, signal }) {
    const { path, facts } = await openInputFile(dependencies, source, { kind: 'audio', position, signal })
    const { contentType, durationSeconds } = facts
    if (!isAudioType(contentType)) throw new Error(`an audio file has the type ${contentType}`)
    return {
      seconds: durationSeconds,
      soundCommand: (seconds) => soundCommand({ path, contentType }, seconds),
      [Symbol.asyncDispose]: () => rm(path, { force: true }),
    }
  }
}
