import { endpointsMax } from '../catalogue/import/import-limits.ts'
import { ImportRefusal } from '../catalogue/import/import-refusal.ts'
import { readReplicateSource, type ReplicateSource } from '../catalogue/import/replicate/replicate-document.ts'
import { requireEndpoint } from '../catalogue/import/fal/fal-document.ts'
import { shortName } from '../catalogue/import/resolve-schema.ts'

/** The source of a model. Operators write it in the form `fal:fal-ai/flux-2-pro`. */
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

/** Reads sources. Several sources must all be endpoints or models of one provider. */
export function readImportSource(texts: readonly string[]): ImportSource {
  const sources = texts.map(readOne)
  const [first, ...others] = sources
  if (first === undefined) throw new ImportRefusal(`A source must be ${sourceForms}.`)
  if (sources.length > endpointsMax) throw new ImportRefusal(`One model may have at most ${endpointsMax} sources.`)
  if (first.kind === 'fal') {
    return { kind: 'fal', endpoints: sources.flatMap((one) => (one.kind === 'fal' ? one.endpoints : mixed())) }
  }
  if (first.kind === 'replicate') {
    return { kind: 'replicate', models: sources.flatMap((one) => (one.kind === 'replicate' ? one.models : mixed())) }
  }
  if (others.length > 0) throw new ImportRefusal('Only sources of fal or of Replicate can be joined to one model.')
  return first
}

function mixed(): never {
  throw new ImportRefusal('Sources of several providers cannot be joined to one model; import them one by one.')
}

function readOne(text: string): ImportSource {
  const colon = text.indexOf(':')
  const [kind, rest] = [text.slice(0, colon), text.slice(colon + 1)]
  if (colon < 1 || rest === '') throw new ImportRefusal(`The source ${shortName(text)} must be ${sourceForms}.`)
  switch (kind) {
    case 'fal':
      requireEndpoint(rest)
      return { kind, endpoints: [rest] }
    case 'replicate':
      return { kind, models: [readReplicateSource(rest)] }
    case 'comfyui':
      return { kind, name: rest }
    case 'openai': {
      const [upstream = '', ...model] = rest.split(':')
      return { kind, upstream, model: model.length === 0 ? null : model.join(':') }
    }
    case 'openrouter':
      return { kind, model: rest }
    case 'file':
      return { kind, address: rest }
    case 'pack':
      return { kind, name: rest }
    default:
      throw new ImportRefusal(`The source ${shortName(text)} must be ${sourceForms}.`)
  }
}
