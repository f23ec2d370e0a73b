import { endpointsMax } from '../catalogue/import/import-limits.ts'
import { ImportError } from '../catalogue/import/import-error.ts'
import { readReplicateSource, type ReplicateSource } from '../catalogue/import/replicate/replicate-document.ts'
import { requireEndpoint } from '../catalogue/import/fal/fal-document.ts'
import { shortName } from '../catalogue/import/resolve-schema.ts'

/** The parsed source of a model, such as `fal:fal-ai/flux-2-pro`. */
export type ImportSource =
  | { kind: 'fal'; endpoints: readonly string[] }
  | { kind: 'replicate'; models: readonly ReplicateSource[] }
  | { kind: 'comfyui'; name: string }
  | { kind: 'openai'; upstream: string; model: string | null }
  | { kind: 'openrouter'; model: string }
  | { kind: 'file'; address: string }
  | { kind: 'pack'; name: string }

const sourceForms =
  'fal:ENDPOINT, replicate:OWNER/NAME[:VERSION], comfyui:FLOW.json, openai:UPSTREAM[:MODEL], openrouter:MODEL, file:PATH_OR_URL or pack:NAME'

/** Parses sources. Several sources must be endpoints or models of the same provider. */
export function readImportSource(texts: readonly string[]): ImportSource {
  const sources = texts.map(readSource)
  const [firstSource, ...furtherSources] = sources
  if (firstSource === undefined) throw new ImportError(`A source must be ${sourceForms}.`)
  if (sources.length > endpointsMax) throw new ImportError(`One model may have at most ${endpointsMax} sources.`)
  if (firstSource.kind === 'fal') {
    return {
      kind: 'fal',
      endpoints: sources.flatMap((source) => (source.kind === 'fal' ? source.endpoints : throwMixedSources())),
    }
  }
  if (firstSource.kind === 'replicate') {
    return {
      kind: 'replicate',
      models: sources.flatMap((source) => (source.kind === 'replicate' ? source.models : throwMixedSources())),
    }
  }
  if (furtherSources.length > 0) throw new ImportError('Only sources of fal or of Replicate can be combined into one model.')
  return firstSource
}

function throwMixedSources(): never {
  throw new ImportError('Sources of different providers cannot be combined into one model; import them one by one.')
}

function readSource(text: string): ImportSource {
  const colon = text.indexOf(':')
  const [kind, value] = [text.slice(0, colon), text.slice(colon + 1)]
  if (colon < 1 || value === '') throw new ImportError(`The source ${shortName(text)} must be ${sourceForms}.`)
  switch (kind) {
    case 'fal':
      requireEndpoint(value)
      return { kind, endpoints: [value] }
    case 'replicate':
      return { kind, models: [readReplicateSource(value)] }
    case 'comfyui':
      return { kind, name: value }
    case 'openai': {
      const [upstream = '', ...model] = value.split(':')
      return { kind, upstream, model: model.length === 0 ? null : model.join(':') }
    }
    case 'openrouter':
      return { kind, model: value }
    case 'file':
      return { kind, address: value }
    case 'pack':
      return { kind, name: value }
    default:
      throw new ImportError(`The source ${shortName(text)} must be ${sourceForms}.`)
  }
}
