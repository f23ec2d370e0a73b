import type { OpenAiVideo } from '../openai.ts'
import type { Example } from './document-types.ts'

const noon = 1_768_478_400
const id = 'task_019bc186de007000a1b2c3d4e5f60718'

const queued: OpenAiVideo = {
  id,
  object: 'video',
  model: 'vidG_video3',
  status: 'queued',
  progress: 0,
  created_at: noon,
  completed_at: null,
  expires_at: null,
  seconds: '12',
  size: '1280x720',
  prompt: 'A deer in a misty forest at dawn',
  remixed_from_video_id: null,
  error: null,
  amount: 0.84,
}

export const openAiExamples = {
  videoBody: {
    summary: 'A video of a given size',
    value: { model: 'vidG_video3', prompt: 'A deer in a misty forest at dawn', seconds: '12', size: '1280x720' },
  },
  video: { summary: 'A video that waits', value: queued },
  videos: {
    summary: 'The only video',
    value: { object: 'list', data: [queued], first_id: id, last_id: id, has_more: false },
  },
  deleted: { summary: 'A deleted video', value: { id, object: 'video.deleted', deleted: true } },
  model: {
    summary: 'A model',
    value: { id: 'vidG_video3', object: 'model', created: noon, owned_by: 'Northern Lights' },
  },
  chatBody: {
    summary: 'A question',
    value: { model: 'harbor-chat', messages: [{ role: 'user', content: 'What color is the boat?' }], max_tokens: 100 },
  },
  chat: {
    summary: 'A response',
    value: {
      id: 'chatcmpl-9d2f',
      object: 'chat.completion',
      created: noon,
      model: 'harbor-chat',
      choices: [{ index: 0, message: { role: 'assistant', content: 'The boat is red.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 14, completion_tokens: 5, total_tokens: 19 },
    },
  },
  remixBody: { summary: 'The same video at night', value: { prompt: 'The deer at night, in the light of the moon' } },
  imageBody: {
    summary: 'An image as a link',
    value: { model: 'imgA-5.0', prompt: 'A boat on a lake in the fog', size: '1024x1024', response_format: 'url' },
  },
} as const satisfies Record<string, Example>
