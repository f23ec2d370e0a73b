import type { Family, ModelDefinition, ParameterSchema } from '../packages/server/src/catalogue/model.ts'
import { isMediaParameter } from '../packages/server/src/catalogue/generation-parameters.ts'
import { modelNotes, parameterNotes } from './parameter-notes.ts'

/**
 * Generates `packages/python/src/framegate/parameters.py`: the parameters of every model as a
 * TypedDict, and the calls that take them.
 */
export function pythonParameterTypes(families: readonly Family[]): string {
  const models = families.flatMap((family) => family.models)
  return [moduleHead, ...models.map(typedDict), ...calls.map((call) => protocolText(call, models)), ''].join('\n')
}

const moduleHead = `"""
Parameters that a request to each model may have, and the calls that take them.

Generated from the catalogue by \`node tools/write-python-parameter-types.ts\`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typing_extensions import Required, Unpack

    from ._core.wait import WaitMode
    from .inputs import MediaInput
    from .simulation import Simulation
    from .types import Model, ModelId

ResultT_co = TypeVar("ResultT_co", covariant=True)
TaskT_co = TypeVar("TaskT_co", covariant=True)


class TaskOptions(TypedDict, total=False):
    """Fields that a request to any model may have."""

    max_amount: float | None
    """Maximum price in credits. A task that costs more is rejected. Default: no limit."""
    improve_prompt: bool | None
    """Whether to improve the prompt of an image or video first, at the price of \`text-prompt-enhance\`. Default: false."""
    webhook_url: str | None
    """Public https URL that receives an event when the task ends. Default: none."""
    simulate: Simulation | None
    """Simulates failures, delays and broken downloads, for testing your program. Default: none."""
`

function typedDict(model: ModelDefinition): string {
  const { model: _model, ...parameters } = model.parameters.properties
  const lines = Object.entries(parameters).flatMap(([name, schema]) =>
    parameterLines(name, schema, model.parameters.required.includes(name)),
  )
  return [
    '',
    `class ${className(model.id)}(TaskOptions, total=False):`,
    ...[`"""${model.id}: ${modelNotes(model)}"""`, '', ...lines].map((line) => (line === '' ? '' : `    ${line}`)),
    '',
  ].join('\n')
}

function parameterLines(name: string, schema: ParameterSchema, isRequired: boolean): string[] {
  const type = typeOf(name, schema)
  return [
    `${reservedWords.has(name) ? `${name}_` : name}: ${isRequired ? `Required[${type}]` : `${type} | None`}`,
    `"""${parameterNotes(schema)}"""`,
  ]
}

/**
 * Reserved words of Python. A parameter with such a name gets a trailing underscore, which the
 * client removes.
 */
const reservedWords = new Set(['for', 'from', 'in', 'is', 'with', 'as', 'class', 'global', 'lambda', 'not'])

function typeOf(name: string, schema: ParameterSchema): string {
  const choices = schema.const === undefined ? schema.enum : [schema.const]
  if (choices) return `Literal[${choices.map((choice) => JSON.stringify(choice)).join(', ')}]`
  const text = isMediaParameter(name) ? 'MediaInput' : 'str'
  switch (schema.type) {
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'array':
      return `Sequence[${text}]`
    case 'string':
      return text
    default:
      return 'Any'
  }
}

interface Call {
  /** Name of the protocol class. */
  name: string
  /** Type variables of the protocol. */
  typeVariables: string
  resultType: string
  docstring: string
  /** Keyword arguments besides `model` and the parameters. */
  options: readonly string[]
}

const idempotencyKey = 'idempotency_key: str | None = None'

const calls: readonly Call[] = [
  {
    name: 'CreateTask',
    typeVariables: 'ResultT_co',
    resultType: 'ResultT_co',
    docstring: 'Submits a task. Within 24 hours, a call with the same `idempotency_key` returns the same task.',
    options: [idempotencyKey],
  },
  {
    name: 'QuoteTask',
    typeVariables: 'ResultT_co',
    resultType: 'ResultT_co',
    docstring: 'Returns the price of a request.',
    options: [],
  },
  {
    name: 'Generate',
    typeVariables: 'ResultT_co, TaskT_co',
    resultType: 'ResultT_co',
    docstring: 'Submits a task and waits for it.',
    options: [
      idempotencyKey,
      'timeout: float | None = ...',
      'on_update: Callable[[TaskT_co], Any] | None = None',
      'mode: WaitMode = "auto"',
      'cancel_on_interrupt: bool = False',
    ],
  },
]

/**
 * Returns the protocol class of a call, with one overload for each model, and one for unknown
 * models.
 */
function protocolText({ name, typeVariables, resultType, docstring, options }: Call, models: readonly ModelDefinition[]): string {
  const overloads = [
    ...models.map(({ id }) => ({ model: `Literal[${JSON.stringify(id)}]`, parameters: `Unpack[${className(id)}]` })),
    { model: 'ModelId | Model', parameters: 'Any' },
  ]
  const lines = overloads.flatMap(({ model, parameters }) => {
    const signature = ['self', '*', `model: ${model}`, ...options, `**parameters: ${parameters}`].join(', ')
    return ['    @overload', `    def __call__(${signature}) -> ${resultType}: ...`]
  })
  return ['', `class ${name}(Protocol[${typeVariables}]):`, `    """${docstring}"""`, '', ...lines, ''].join('\n')
}

/** `vidK O3 Video Generation` becomes `VidKO3VideoGenerationParameters`. */
function className(id: string): string {
  const words = id.split(/[^A-Za-z0-9]+/)
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Parameters`
}
