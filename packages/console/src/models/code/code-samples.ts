import type { ModelType } from '../../api/types.ts'

/**
 * Code that sends the playground's request. Each sample runs unchanged, if the environment variable
 * has the API key.
 */
export interface CodeSample {
  name: 'curl' | 'TypeScript' | 'Python' | 'CLI' | 'MCP'
  /** Command that installs the client library. Null if none is needed. */
  install: string | null
  code: string
}

export interface SampleRequest {
  /** Base URL of the API. */
  baseUrl: string
  /** Body of the request: the model and its parameters. */
  body: Readonly<Record<string, unknown>>
  /** Environment variable with the API key. */
  keyVariable: string
  type: ModelType
}

/** Returns the samples that do not use Framegate's clients (SDK and CLI). */
export function httpSamples(request: SampleRequest): readonly CodeSample[] {
  return [
    { name: 'curl', install: null, code: curlSample(request) },
    { name: 'Python', install: 'pip install requests', code: pythonSample(request) },
    ...(isMedia(request) ? [{ name: 'MCP' as const, install: null, code: toolSample(request) }] : []),
  ]
}

export function isMedia({ type }: Pick<SampleRequest, 'type'>): boolean {
  return type === 'image' || type === 'video'
}

function curlSample({ baseUrl, body, keyVariable }: SampleRequest): string {
  const tasks = `${baseUrl}/v2/model-center/tasks`
  return `TASK=$(curl -s ${tasks} \\
  -H "Authorization: Bearer $${keyVariable}" \\
  -H "Content-Type: application/json" \\
  -d ${quoteForShell(JSON.stringify(body))} \\
  | grep -o 'task_[0-9a-f]*' | head -n 1)

curl -s "${tasks}/$TASK?wait=60" -H "Authorization: Bearer $${keyVariable}"
`
}

/** Returns a sample that calls the MCP tool of the model's type. */
function toolSample({ baseUrl, body, keyVariable, type }: SampleRequest): string {
  const { model, prompt, ...parameters } = body
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: `generate_${type}`, arguments: { model, prompt, parameters } },
  }
  return `curl -s ${baseUrl}/mcp \\
  -H "Authorization: Bearer $${keyVariable}" \\
  -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" \\
  -d ${quoteForShell(JSON.stringify(call))}
`
}

function pythonSample({ baseUrl, body, keyVariable, type }: SampleRequest): string {
  return `import os, requests

tasks = "${baseUrl}/v2/model-center/tasks"
session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['${keyVariable}']}"

response = session.post(tasks, json=${pythonValue(body)})
response.raise_for_status()
task = response.json()
while task["status"] in ("queued", "processing"):
    task = session.get(f"{tasks}/{task['id']}", params={"wait": 30}).json()

print(task["error"] or task["${isMedia({ type }) ? 'result_url' : 'text'}"])
`
}

/** Quotes a string as a single POSIX shell word. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function pythonValue(value: unknown, indent = ''): string {
  const inner = `${indent}    `
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null || value === undefined) return 'None'
  if (Array.isArray(value)) return `[${value.map((item) => pythonValue(item, inner)).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const lines = Object.entries(value).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${pythonValue(item, inner)},`)
  return `{\n${lines.join('\n')}\n${indent}}`
}
