import { brandHostsMax, hostNameOf, type AdminBrand } from '@framegate/contract'
import type { DeclaredBrand, DeclaredModel } from './applied-file.ts'
import { violationAt, fieldOrItem, type Violation } from './located.ts'
import type { Planning } from './planning.ts'
import { bodyOf, declaredFields, differences, requireId, send, type Handle, type Step } from './step.ts'

export interface PlannedBrand extends Handle {
  declared: DeclaredBrand | undefined
  actual: AdminBrand | undefined
}

export interface PlannedBrands {
  /** All existing brands and all brands that the plan creates. */
  all: PlannedBrand[]
  /** The brand that is the default after all steps. */
  defaultBrand: PlannedBrand | undefined
  steps: Step[]
  /**
   * Steps that must run last. After a change of the default brand, keys of the former default brand
   * are valid only at that brand's own hosts.
   */
  lastSteps: Step[]
}

const changeableFields = [
  'hosts',
  'result_origin',
  'color',
  'logo',
  'other_models',
  'tasks_in_flight_max',
  'credits_in_flight_max',
  'prompt_retention_days',
] as const
const modelSettings = ['visibility', 'title'] as const

export function planBrands({ file, installation, shouldPrune, violations, baseUrl }: Planning): PlannedBrands {
  const brands: PlannedBrand[] = installation.brands.map((actual) => ({
    id: actual.id,
    name: actual.name,
    actual,
    declared: undefined,
  }))
  for (const declaredBrand of file.brands ?? []) {
    const matches = brands.filter(({ actual }) =>
      declaredBrand.id === undefined ? actual?.name === declaredBrand.name : actual?.id === declaredBrand.id,
    )
    const [brand] = matches
    if (matches.length > 1)
      violations.push(violationAt(fieldOrItem(declaredBrand.at, 'name'), 'is the name of several brands; give the id.'))
    else if (brand === undefined && declaredBrand.id !== undefined)
      violations.push(violationAt(fieldOrItem(declaredBrand.at, 'id'), 'is not the id of a brand.'))
    else if (brand?.declared !== undefined)
      violations.push(violationAt(declaredBrand.at, `repeats the brand of line ${brand.declared.at.position.line}.`))
    else if (brand !== undefined) Object.assign(brand, { declared: declaredBrand, name: declaredBrand.name })
    else brands.push({ id: null, name: declaredBrand.name, actual: undefined, declared: declaredBrand })
  }
  checkHosts(brands, violations)
  const currentDefault = brands.find(({ actual }) => actual?.is_default)
  const defaultBrand = brands.find(({ declared }) => declared?.default === true) ?? currentDefault
  checkDefault(currentDefault, defaultBrand, violations)
  const steps = brands.flatMap((brand) => brandSteps(brand, brands))
  if (violations.length === 0) checkOperatorHost(brands, defaultBrand, new URL(baseUrl).host, violations)
  for (const brand of brands) {
    checkModels(brand.declared?.models ?? [], installation.modelIds, violations)
    steps.push(...modelSteps(brand, shouldPrune))
  }
  const lastSteps =
    defaultBrand === undefined || defaultBrand === currentDefault ? [] : [defaultStep(defaultBrand, currentDefault)]
  return { all: brands, defaultBrand, steps, lastSteps }
}

function brandSteps(brand: PlannedBrand, brands: readonly PlannedBrand[]): Step[] {
  const { declared, actual } = brand
  if (declared === undefined) return []
  const kind = { kind: 'brand', name: quote(brand.name) } as const
  if (actual === undefined) {
    const fields = declaredFields(changeableFields, declared)
    return [
      {
        ...kind,
        action: 'create',
        fields,
        async run(session) {
          const { client, call } = session
          const body = { name: brand.name }
          const createdBrand = await client.request<AdminBrand>({ method: 'POST', path: '/admin/v1/brands', body }, call)
          brand.id = createdBrand.id
          if (fields.length > 0) await send(session, 'PATCH', `/brands/${requireId(brand)}`, brandBody(fields, brand, brands))
          return undefined
        },
      },
    ]
  }
  const fields = differences(['name', ...changeableFields], declared, actual)
  if (fields.length === 0) return []
  return [
    {
      ...kind,
      action: 'change',
      fields,
      run: (session) => send(session, 'PATCH', `/brands/${requireId(brand)}`, brandBody(fields, brand, brands)),
    },
  ]
}

/**
 * Returns the body of a request for a brand. Replaces the digest of the logo, which the plan shows,
 * with the logo file. If declared hosts currently belong to other brands, `move_hosts` takes them.
 */
function brandBody(fields: Step['fields'], brand: PlannedBrand, brands: readonly PlannedBrand[]): object {
  const body = bodyOf(fields)
  const hosts = brand.declared?.hosts ?? []
  const movesHosts = brands.some((other) => other !== brand && other.actual?.hosts.some((host) => hosts.includes(host)))
  return {
    ...body,
    ...(body['hosts'] !== undefined && { hosts: hostsDuringMoves(brand, brands) }),
    ...(body['hosts'] !== undefined && movesHosts && { move_hosts: true }),
    ...(typeof body['logo'] === 'string' && { logo: brand.declared?.logoFile }),
  }
}

/** Returns the declared hosts, and the hosts that a later step moves to another brand. */
function hostsDuringMoves(brand: PlannedBrand, brands: readonly PlannedBrand[]): string[] {
  const laterBrands = brands.slice(brands.indexOf(brand) + 1)
  const hostsMovedLater = (brand.actual?.hosts ?? []).filter((host) =>
    laterBrands.some(({ declared }) => declared?.hosts?.includes(host)),
  )
  return [...(brand.declared?.hosts ?? []), ...hostsMovedLater]
}

function defaultStep(defaultBrand: PlannedBrand, previousDefault: PlannedBrand | undefined): Step {
  return {
    kind: 'brand',
    name: quote(defaultBrand.name),
    action: 'change',
    fields: [
      { field: 'default', before: previousDefault === undefined ? null : `brand ${quote(previousDefault.name)}`, after: true },
    ],
    run: (session) => send(session, 'POST', `/brands/${requireId(defaultBrand)}/default`),
  }
}

function modelSteps(brand: PlannedBrand, shouldPrune: boolean): Step[] {
  const declaredModels = brand.declared?.models ?? null
  if (declaredModels === null) return []
  const actual = new Map(brand.actual?.models.map((model) => [model.id, model]))
  const steps = declaredModels.flatMap((model): Step[] => {
    const fields = differences(modelSettings, model, actual.get(model.model) ?? { visibility: null, title: null })
    return fields.length === 0 ? [] : [modelStep(brand, model.model, 'change', fields)]
  })
  const undeclaredModels = [...actual.values()].filter(
    ({ id }) => shouldPrune && !declaredModels.some(({ model }) => model === id),
  )
  const removals = undeclaredModels.map((model) =>
    modelStep(brand, model.id, 'remove', differences(modelSettings, { visibility: null, title: null }, model)),
  )
  return [...steps, ...removals]
}

function modelStep(brand: PlannedBrand, model: string, action: Step['action'], fields: Step['fields']): Step {
  return {
    kind: 'model',
    name: `${model} of brand ${quote(brand.name)}`,
    action,
    fields,
    run: (session) => send(session, 'POST', `/brands/${requireId(brand)}/models`, { model, ...bodyOf(fields) }),
  }
}

function checkHosts(brands: readonly PlannedBrand[], violations: Violation[]): void {
  for (const brand of brands) {
    const { declared } = brand
    if (declared?.hosts !== undefined && hostsDuringMoves(brand, brands).length > brandHostsMax) {
      const message = `and the hosts that this file moves away are more than ${brandHostsMax} together; move some of them with an earlier file.`
      violations.push(violationAt(fieldOrItem(declared.at, 'hosts'), message))
    }
    for (const host of declared?.hosts ?? []) {
      const owner = brands.find(({ actual }) => actual?.hosts.includes(host))
      const hasUnchangedHosts = owner?.declared?.hosts === undefined
      if (declared !== undefined && owner !== undefined && owner.declared !== declared && hasUnchangedHosts) {
        const message = `has ${host}, which belongs to the brand ${quote(owner.name)}; to move the host, also declare that brand without it.`
        violations.push(violationAt(fieldOrItem(declared.at, 'hosts'), message))
      }
    }
  }
}

function checkDefault(
  currentDefault: PlannedBrand | undefined,
  defaultBrand: PlannedBrand | undefined,
  violations: Violation[],
): void {
  const declared = currentDefault?.declared
  if (currentDefault === defaultBrand && declared?.default === false) {
    violations.push(
      violationAt(
        fieldOrItem(declared.at, 'default'),
        'must stay true, because this is the default brand; make another brand the default instead.',
      ),
    )
  }
  const hosts = declared?.hosts ?? currentDefault?.actual?.hosts ?? []
  if (
    currentDefault !== defaultBrand &&
    defaultBrand?.declared !== undefined &&
    currentDefault !== undefined &&
    hosts.length === 0
  ) {
    const message = `requires the brand ${quote(currentDefault.name)} to have a host; without a host, the keys of a brand work only while it is the default.`
    violations.push(violationAt(fieldOrItem(defaultBrand.declared.at, 'default'), message))
  }
}

/**
 * Rejects a plan that moves the host used by this command away from the first brand, which is the
 * operator's own. The operator's API accepts only keys of this brand.
 */
function checkOperatorHost(
  all: readonly PlannedBrand[],
  defaultBrand: PlannedBrand | undefined,
  host: string,
  violations: Violation[],
): void {
  const [firstBrand] = all
  const name = hostNameOf(host)
  const owner = all.find(({ declared, actual }) => (declared?.hosts ?? actual?.hosts)?.includes(name)) ?? defaultBrand
  if (firstBrand === undefined || owner === undefined || owner === firstBrand) return
  const declared = owner.declared ?? firstBrand.declared
  if (declared === undefined) return
  const message =
    `would take over the host ${name}, which this command uses; keep it with ${quote(firstBrand.name)}, because only keys of ` +
    'that brand may be operator keys.'
  violations.push(violationAt(fieldOrItem(declared.at, owner.declared?.hosts?.includes(name) ? 'hosts' : 'default'), message))
}

function checkModels(models: readonly DeclaredModel[], modelIds: ReadonlySet<string>, violations: Violation[]): void {
  for (const { at, model } of models) {
    if (!modelIds.has(model))
      violations.push(violationAt(fieldOrItem(at, 'model'), `must be a Model ID; there is no model ${quote(model)}.`))
  }
}

export function quote(name: string): string {
  return JSON.stringify(name)
}
