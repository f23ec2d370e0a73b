import type { Operation, StartContext } from '../driver.ts'
import { AcceptanceUnknown, sendSubmit } from '../upstream/classify-error.ts'
import { describeError } from '../upstream/describe-unusable.ts'
import { jobIdIn, objectIn, type JsonObject } from '../upstream/read-json.ts'
import type { Body } from '../upstream/renamed-parameters.ts'
import type { ConnectedTarget, UpstreamTools } from '../upstream/upstream-driver.ts'
import { submitErrorOf, readError } from './read-error.ts'

export interface MinimaxConnection {
  target: ConnectedTarget
  tools: UpstreamTools
  headers: Readonly<Record<string, string>>
}

export function connectionTo(target: ConnectedTarget, tools: UpstreamTools): MinimaxConnection {
  return { target, tools, headers: { authorization: `Bearer ${target.credential}` } }
}

export async function submit(
  { target, tools, headers }: MinimaxConnection,
  path: string,
  request: { json: Body; timeoutMs?: number },
  context: StartContext,
): Promise<JsonObject> {
  const response = await sendSubmit(tools.call, { method: 'POST', url: target.baseUrl + path, headers, ...request }, context)
  if (response.status !== 200 || readError(response.json).code !== '') throw submitErrorOf(response)
  return objectIn(response.json)
}

export async function submitTask(
  connection: MinimaxConnection,
  path: string,
  json: Body,
  context: StartContext,
): Promise<Operation> {
  const id = jobIdIn((await submit(connection, path, { json }, context))['task_id'])
  if (id === '') throw new AcceptanceUnknown('HTTP 200 without a task_id')
  return { id }
}

/** Throws the response's error unless the HTTP status is 200. The caller must check `base_resp`. */
export async function getJson(
  { target, tools, headers }: MinimaxConnection,
  path: string,
  signal: AbortSignal,
): Promise<JsonObject> {
  const response = await tools.call({ method: 'GET', url: target.baseUrl + path, headers, signal })
  if (response.status !== 200 || response.json === undefined)
    throw new Error(describeError(response, readError(response.json), 'a status'))
  return objectIn(response.json)
}
