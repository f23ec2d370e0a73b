import { systemPromptCharactersMax } from '@framegate/contract'
import type { Json } from '../../drivers/driver.ts'
import type { UpstreamTarget } from '../../drivers/upstream/upstream-driver.ts'
import { withoutByteOrderMark } from '../../lib/without-byte-order-mark.ts'
import type { UpstreamDefinition } from './definitions.ts'
import type { Fields } from '../../lib/read-fields.ts'
import { readRouteInput } from './read-route-input.ts'
import type { ReadRoutingOptions } from './read-routing-options.ts'

/** Reads the fields of a route that its driver uses. */
export function readTarget(
  fields: Fields,
  upstream: UpstreamDefinition | null,
  { readFile }: ReadRoutingOptions,
): UpstreamTarget {
  const model = fields.readText('upstream_model') ?? ''
  if (upstream !== null && model === '' && upstream.driver.name !== 'comfyui') {
    fields.addViolation('upstream_model', "must be the model's name at the upstream")
  }
  return {
    baseUrl: upstream?.baseUrl ?? '',
    model,
    parameters: fields.readTexts('parameters'),
    extra: fields.readObject('extra') as UpstreamTarget['extra'],
    workflow: readWorkflow(fields, readFile),
    slots: fields.readTexts('slots'),
    // A setting that the operator left out is absent here, so that the digest of the snapshot stays
    // the same as in earlier versions.
    ...readInput(fields, upstream),
    ...readSystemPrompt(fields, upstream),
  }
}

function readSystemPrompt(fields: Fields, upstream: UpstreamDefinition | null): Pick<UpstreamTarget, 'systemPrompt'> {
  const systemPrompt = fields.readText('system_prompt')
  if (systemPrompt === undefined) return {}
  if (upstream?.driver.takesSystemPrompt !== true)
    fields.addViolation('system_prompt', 'must be left out: only routes to a language model have one')
  if (systemPrompt.length > systemPromptCharactersMax)
    fields.addViolation('system_prompt', `must have at most ${systemPromptCharactersMax} characters`)
  return { systemPrompt }
}

function readInput(fields: Fields, upstream: UpstreamDefinition | null): Pick<UpstreamTarget, 'input'> {
  const input = fields.readObject('input')
  if (Object.keys(input).length === 0) return {}
  if (upstream !== null && upstream.driver.takesRouteInput !== true) {
    fields.addViolation('input', `must be left out with the driver ${upstream.driver.name}`)
  }
  const routeInput = readRouteInput(input)
  if (typeof routeInput !== 'string') return { input: routeInput }
  fields.addViolation('input', routeInput)
  return {}
}

function readWorkflow(fields: Fields, readFile: ReadRoutingOptions['readFile']): Json | null {
  const inlineOrFile = fields.readObjectOrText('workflow')
  if (typeof inlineOrFile === 'object') return inlineOrFile as Json
  const file = inlineOrFile
  if (file === undefined) return null
  try {
    return JSON.parse(withoutByteOrderMark(readFile(file))) as Json
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'must be a JSON file in the API format' : (error as Error).message
    fields.addViolation('workflow', reason)
    return null
  }
}
