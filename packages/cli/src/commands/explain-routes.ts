import type { RouteExplanation } from '@framegate/contract'
import type { Command } from 'commander'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { requestAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { namedJson } from '../operation/named-values.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { conditionText } from '../operation/routing-state.ts'
import { addExamples } from '../terminal/examples.ts'
import { table } from '../terminal/table.ts'

interface ExplainOptions extends JsonOptions {
  param?: Record<string, unknown>
}

export function addExplainCommand(routes: Command, setExitCode: (code: number) => void): void {
  const command = routes
    .command('explain')
    .description(
      'Show which routes can serve a task, and the route that the task would take now, or why it would take none. Submits no task.',
    )
    .argument('<model>', 'a Model ID')
    .option('--param <name=value>', 'a parameter of the task, as JSON or text; may be given several times', namedJson)
  addConnectionOptions(command)
    .option('--json', 'print the explanation as JSON')
    .action(async (model: string, options: ExplainOptions) => setExitCode(await explainRoutes(model, options)))
  addExamples(
    command,
    [
      'framegate routes explain "vidK O3 Video Generation"',
      'framegate routes explain "vidK O3 Video Generation" --param seconds=10 --param prompt="a red kite" --json',
    ],
    `Omitted parameters have their defaults. Missing required parameters are taken from an example of the model. FREE is the number of
attempts that can start now. It is at most 256, because at most 256 submits to an upstream can wait for a response at a time. ${operatorNotes}`,
  )
}

async function explainRoutes(model: string, { param, ...options }: ExplainOptions): Promise<number> {
  const body = { model, ...(param && { parameters: param }) }
  return requestAndShow(options, { method: 'POST', path: '/admin/v1/routes/explain', body }, explanationText)
}

function explanationText(explanation: RouteExplanation): string {
  const rows = explanation.routes.map((route) => [
    route.route,
    route.upstream,
    String(route.priority),
    route.refusal === null ? 'yes' : `no: ${route.refusal.message}`,
    String(route.free_slots),
    conditionText(route),
    route.chosen ? '*' : '',
  ])
  const routes = table(
    [
      'ROUTE',
      { heading: 'UPSTREAM', rank: 3 },
      { heading: 'PRIORITY', rank: 1 },
      { heading: 'CAN SERVE', long: 'wrap' },
      { heading: 'FREE', rank: 2 },
      { heading: 'STATE', long: 'wrap' },
      'NEXT',
    ],
    rows,
  )
  return [routes, '', outcomeText(explanation), ...narrowingLines(explanation)].join('\n')
}

/**
 * Describes how the parameters that clients see differ from the definition of the model. If the
 * routes serve different values, lists those of each route.
 */
function narrowingLines({ narrowed }: RouteExplanation): string[] {
  if (narrowed.length === 0) return []
  const lines = narrowed.flatMap(({ parameter, message, routes }) => [
    `  ${parameter}: ${message}`,
    // If all routes serve the same values, one line for each would repeat the message.
    ...(routes.every(({ serves }) => serves === routes[0]?.serves)
      ? []
      : routes.map(({ route, serves }) => `    ${route}: ${serves}`)),
  ])
  return ['', 'For clients, these parameters differ from the definition of the model:', ...lines]
}

function outcomeText({ outcome, reason, routes }: RouteExplanation): string {
  switch (outcome) {
    case 'route':
      return `The next task takes the route ${routes.find(({ chosen }) => chosen)?.route}.`
    case 'waits':
      return `A new task would wait. ${reason}`
    case 'refused':
      return `A submit is rejected with 400. ${reason}`
    case 'no_route':
      return `A submit is rejected with 503. ${reason}`
    default:
      return outcome satisfies never
  }
}
