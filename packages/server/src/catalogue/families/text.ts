import { defineFamily } from '../define-family.ts'
import type { ParameterSchema } from '../model.ts'
import { perTask } from '../price-rules.ts'
import { image, prompt } from '../shared-parameters.ts'

const purpose: ParameterSchema = {
  type: 'string',
  enum: ['image', 'video'],
  default: 'image',
  description: 'What the prompt is for. A prompt for a video also has a camera move.',
}

const style: ParameterSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description: 'Style of the result, such as `watercolor` or `film noir`. Default: one that fits the prompt.',
}

/** Operations on text. Their results are texts instead of media files. */
export const text = defineFamily({
  id: 'text',
  v1Family: null,
  object: 'text',
  models: [
    {
      id: 'text-prompt-enhance',
      displayName: 'Prompt enhancement',
      title: 'Enhancement of prompts',
      description: 'A prompt with more detail: the subject as given, with its place, light, season, camera and style.',
      capabilities: ['prompt-enhancement'],
      parameters: { prompt: { ...prompt, description: 'The prompt to enhance.' } },
      ownParameters: { for: purpose, style },
      price: perTask(0.001),
      examples: [{ prompt: 'a fox' }, { prompt: 'a harbor town', for: 'video', style: 'watercolor' }],
    },
    {
      id: 'text-storyboard',
      displayName: 'Storyboard',
      title: 'Storyboards of several shots',
      description: 'A numbered list of shots for an idea. Each shot has a duration and a prompt for a video model.',
      capabilities: ['storyboard'],
      parameters: { prompt: { ...prompt, description: 'The idea to divide into shots.' } },
      ownParameters: {
        shots: { type: 'integer', minimum: 2, maximum: 20, default: 6, description: 'Number of shots.' },
      },
      price: perTask(0.002),
      examples: [{ prompt: 'a fox crosses a forest in one day' }, { prompt: 'the opening of a coffee shop', shots: 4 }],
    },
    {
      id: 'text-translate',
      displayName: 'Translation',
      title: 'Translation of texts',
      description: 'A translation of a text. Requires a route to a provider.',
      capabilities: ['translation'],
      parameters: {},
      ownParameters: {
        text: { type: 'string', minLength: 1, maxLength: 10_000, description: 'The text to translate.' },
        to: {
          type: 'string',
          minLength: 2,
          maxLength: 60,
          description: 'The language of the result: its English name or its tag, such as `Spanish` or `pt-BR`.',
        },
      },
      required: ['text', 'to'],
      price: perTask(0.002),
      examples: [{ text: 'Ein Fuchs im Schnee, Abendlicht', to: 'English' }],
    },
    {
      id: 'text-caption',
      displayName: 'Image caption',
      title: 'Descriptions of images',
      description: 'A description of an image, which can be used as a prompt. Requires a route to a provider.',
      capabilities: ['captioning'],
      parameters: { image },
      required: ['image'],
      price: perTask(0.002),
      examples: [{ image: 'https://example.com/fox.jpg' }],
    },
  ],
})
