import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/**
 * An agent that generates media. A chat model chooses tools of Framegate, and this program calls
 * them over the Model Context Protocol until the model responds without a tool call.
 */
const { FRAMEGATE_URL, FRAMEGATE_API_KEY, CHAT_URL, CHAT_KEY, CHAT_MODEL } = process.env
/** Maximum number of turns, in case the model never stops calling tools. */
const turnsMax = 10
/** The tools that this agent may use. Give it a key with a spending limit. */
const allowed = new Set(['list_models', 'get_model', 'quote', 'generate_image', 'generate_video', 'get_task'])

const framegate = new Client({ name: 'example-agent', version: '1.0.0' })
const requestInit = { headers: { authorization: `Bearer ${FRAMEGATE_API_KEY}` } }
await framegate.connect(new StreamableHTTPClientTransport(new URL(`${FRAMEGATE_URL}/mcp`), { requestInit }))
const { tools } = await framegate.listTools()

const messages = [
  { role: 'system', content: 'You make images and videos with tools. Quote a price before a video. Answer with the links.' },
  { role: 'user', content: process.argv.slice(2).join(' ') || 'Make an image of a paper boat.' },
]
try {
  console.log(await respond())
} finally {
  await framegate.close()
}

async function respond() {
  for (let turn = 0; turn < turnsMax; turn++) {
    const message = await chat()
    messages.push(message)
    if (!message.tool_calls?.length) return message.content
    for (const call of message.tool_calls) messages.push({ role: 'tool', tool_call_id: call.id, content: await callTool(call) })
  }
  throw new Error(`The model still calls tools after ${turnsMax} turns.`)
}

async function chat() {
  const response = await fetch(`${CHAT_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${CHAT_KEY}` },
    body: JSON.stringify({
      model: CHAT_MODEL,
      messages,
      tools: tools
        .filter(({ name }) => allowed.has(name))
        .map(({ name, description, inputSchema: parameters }) => ({
          type: 'function',
          function: { name, description, parameters },
        })),
    }),
  })
  if (!response.ok) throw new Error(`The chat model responded with ${response.status}: ${await response.text()}`)
  return (await response.json()).choices[0].message
}

/**
 * Calls a tool, and returns the texts of its result. Returns an error as text too, so that the
 * model can correct its call.
 */
async function callTool({ id, function: { name, arguments: text } }) {
  if (!allowed.has(name)) return `There is no tool ${name}.`
  try {
    const toolArguments = JSON.parse(text)
    // The id of the call is the idempotency key, so a retried call is never charged twice.
    const key = name.startsWith('generate_') ? { idempotency_key: id } : {}
    const { content } = await framegate.callTool({ name, arguments: { ...toolArguments, ...key } })
    console.error(`${name} ${text}`)
    return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  } catch (error) {
    return `The call failed: ${error.message}`
  }
}
