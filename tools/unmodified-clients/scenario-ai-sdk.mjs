// Scenario of an application that uses the AI SDK with its provider for OpenAI-compatible services.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, embed, embedMany, generateImage, generateText, isStepCount, Output, streamText, tool } from 'ai'
import { z } from 'zod'

const framegate = createOpenAICompatible({
  name: 'framegate',
  baseURL: `${process.env.FRAMEGATE_URL}/v1`,
  apiKey: process.env.FRAMEGATE_API_KEY,
  includeUsage: true,
  supportsStructuredOutputs: true,
})
const model = framegate.chatModel(process.env.FRAMEGATE_CHAT_MODEL)
const prompt = 'What color is the boat?'

// Chats: a complete response, a stream, a tool call, a schema, and a rejected request.
const complete = await generateText({ model, prompt })
assert.equal(complete.text, 'The boat is red.')
assert.equal(complete.usage.outputTokens, 5)
const stream = streamText({ model, prompt })
let text = ''
for await (const piece of stream.textStream) text += piece
assert.equal(text, 'The boat is red.')
assert.equal((await stream.usage).outputTokens, 5)
const inputSchema = z.object({ thing: z.string() })
const askedThings = []
const tools = { colorOf: tool({ inputSchema, execute: async ({ thing }) => (askedThings.push(thing), 'red') }) }
assert.equal((await generateText({ model, prompt, tools, stopWhen: isStepCount(3) })).text, 'The boat is red.')
const streamed = streamText({ model, prompt, tools, stopWhen: isStepCount(3) })
assert.equal(await streamed.text, 'The boat is red.')
assert.deepEqual(askedThings, ['boat', 'boat'])
const output = Output.object({ schema: z.object({ color: z.string() }) })
assert.deepEqual((await generateText({ model, prompt, output })).output, { color: 'red' })
const unknownModelError = await generateText({ model: framegate.chatModel('nothing'), prompt, maxRetries: 0 }).catch(
  (error) => error,
)
assert.ok(APICallError.isInstance(unknownModelError))
assert.deepEqual([unknownModelError.statusCode, unknownModelError.isRetryable], [404, false])
assert.match(unknownModelError.message, /there is no model "nothing"/)

const embeddings = framegate.embeddingModel(process.env.FRAMEGATE_EMBEDDING_MODEL)
assert.deepEqual((await embed({ model: embeddings, value: 'a boat' })).embedding, [0.1, -0.2])
assert.equal((await embedMany({ model: embeddings, values: ['a boat'] })).usage.tokens, 4)

// Images: several of one size, with a model-specific parameter, with an input image, and a rejected
// request.
const images = framegate.imageModel('imgA-5.0')
const providerOptions = { framegate: { watermark: false } }
const generated = await generateImage({ model: images, prompt: 'a lake', n: 2, size: '1360x768', providerOptions })
assert.deepEqual(
  generated.images.map(({ mediaType }) => mediaType),
  ['image/png', 'image/png'],
)
const image = await readFile(process.env.FRAMEGATE_IMAGE)
assert.equal((await generateImage({ model: images, prompt: { text: 'make it red', images: [image] } })).images.length, 1)
const wrongSize = await generateImage({ model: images, prompt: 'a lake', size: '1x1', maxRetries: 0 }).catch((error) => error)
assert.deepEqual([wrongSize.statusCode, JSON.parse(wrongSize.responseBody).error.param], [400, 'size'])
