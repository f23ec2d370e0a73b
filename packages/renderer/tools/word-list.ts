import type { Meaning } from '../src/scenes/prompt/vocabulary.ts'

const headings: Partial<Record<Meaning['kind'], string>> = {
  place: 'Places',
  time: 'Time of day',
  weather: 'Weather',
  style: 'Styles: watercolor, oil, cut paper, minimal, ink, black and white, film, neon, pixel art',
  subject: 'Subjects',
  color: 'Colors',
  count: 'Counts',
  particles: 'Particles in the air',
  motion: 'Actions of subjects',
  riding: 'Riders',
  setting: 'Details of places',
  sight: 'Phenomena',
  part: 'Parts of a scene, colored by the word before them',
  garment: 'Garments, colored by the word before them',
  omittable: 'Details',
  group: 'Groups of subjects, for a negative prompt',
  condition: 'Conditions of a subject: burning, ruined, breathing fire, leaping out of the water',
}

/** Generates the page about the embedded driver's vocabulary from the vocabulary itself. */
export function wordList(vocabulary: ReadonlyMap<string, readonly Meaning[]>): string {
  const kinds = new Map<string, Map<string, string[]>>()
  for (const [word, meanings] of vocabulary) {
    for (const { kind, ...value } of meanings) {
      const rows = kinds.get(kind) ?? new Map<string, string[]>()
      const name = JSON.stringify(value)
      rows.set(name, [...(rows.get(name) ?? []), word])
      kinds.set(kind, rows)
    }
  }
  const sections = [...kinds].map(([kind, rows]) => {
    const heading = headings[kind as Meaning['kind']] ?? kind[0]?.toUpperCase() + kind.slice(1)
    return `### ${heading}\n\n${[...rows.values()].map((words) => `- ${words.join(', ')}`).join('\n')}\n`
  })
  return `${introduction}\n${sections.join('\n')}`
}

const introduction = `# Vocabulary of the embedded driver

This page lists the words and parameters that the embedded driver understands. The driver renders on
the CPU and needs no API keys or model weights. It searches the prompt for [the words
below](#the-words): English words (singular or plural) and common Chinese words. From these words,
it composes a scene: a place at a time of day in some weather, with subjects, colors and light. It
does not parse sentences. Unknown words only cause small variations. A prompt without any known word
gives a still life, not an error.

- **Variations**: another \`seed\` gives another variation of the same scene. The same request gives
  the same bytes on the same machine. The seeds of \`n\` results are consecutive numbers.
- **Text in quotation marks** is drawn into the image, but only the first such text. The other words
  of the prompt determine its form. The first form in this list that matches is used:
  - a neon sign, if the prompt contains "neon"
  - a title, if the prompt contains "title", "logo" or a similar word
  - a painted board, if the prompt names an object with text, such as a sign, a shop or a banner
  - a caption, if the text follows "says" or a similar word
  - a title in all other cases

  The text may have up to 48 characters. Non-Latin characters are omitted. The quoted words do
  not change anything else in the scene. A longer text is not drawn, but read as part of the prompt.
  The same applies if the prompt consists only of quoted text.
- **Food, drinks and other small objects** are on a table in the place that the prompt names, or in
  front of a plain wall. Products such as shoes, watches and phones are on a podium. Ball games have
  their own stadium or hall. A logo shows the subject of the prompt in a ring on a plain background.
- **Styles** apply to the whole image. If a prompt names several, the first one is used. In videos,
  brush strokes and paper texture do not move with the scene. The input images and videos of the
  request keep their own style, except with \`task: edit\`.
- **\`negative_prompt\`** removes the things that it names from the scene, such as "birds", "fox" or
  "rain".
- **\`first_frame\`**: the video starts with this image. The camera then moves toward the image's
  center and to one side, and near objects move more than the background. "Pan left", "tilt up" and
  similar words set the direction. "Static camera" reduces the movement to a minimum.
- **\`first_frame\` and \`last_frame\`**: the video starts with the first image and ends with the last.
  If both show the same object, for example moved, nearer or in another light, the first image
  morphs into the last. Otherwise mist covers the transition.
- **\`last_frame\` without a first frame** is possible in a [custom model](custom-models.md) that has
  no \`first_frame\`: the video is like one that starts with the image, but played backwards.
- **\`reference_images\`**, at most 10, appear as hanging prints in the sky of the scene, or in the
  foreground if the subject of the prompt is in the upper part of the image. A video shows a few of
  them at a time, and each of them at least once. A still image shows all of them. With a
  \`first_frame\`, they appear after this frame, and with a \`last_frame\`, they disappear before it.
- **\`reference_videos\`**, at most 10, appear in the same way. The first three seconds of
  each are played in a loop, without sound. A still image shows the first frame of each.
- **\`input_video\`** is extended by default: the result is the input video, followed by new video
  that starts from its last frame and is \`seconds\` long. The input video may be up to 60 seconds
  long.
- **\`task: edit\`** changes the light, colors, weather and style of the input video according to the
  prompt. It does not add, remove or replace objects.
- **\`task: motion\`** applies the motion of the input video to the \`first_frame\`, or to the first of
  the \`reference_images\`. The whole image follows the overall motion of the video. In addition, each
  region follows the motion in the same region of the video. The driver does not recognize bodies and
  faces.
- **\`task: lip_sync\`** plays the input video with the sound of \`input_audio\`. Lips do not move.
- **Length**: with \`edit\` and \`motion\`, the result is as long as the input video, and with
  \`lip_sync\` as long as \`input_audio\`, but never longer than \`seconds\`.
- **The input video is shown like a reference video instead** in four cases:
  - \`task\` is \`reference\`.
  - \`task\` is \`motion\`, and the request has neither a \`first_frame\` nor \`reference_images\`.
  - \`task\` is \`extend\` (the default), and the request has a \`first_frame\`.
  - \`task\` is \`edit\` or \`lip_sync\`, and the request has a \`first_frame\` or \`last_frame\`.
- **The sound of \`input_video\`** is kept, unless \`keep_audio\` is false. If there is an
  \`input_audio\`, it replaces this sound. \`audio\` adds ambient sound after the end of the input
  sound, or to the whole result if there is no input sound.
- **ffmpeg** must be on PATH for input videos and sound. Without it, a request with an input video or
  an input sound is rejected. \`framegate doctor\` shows whether ffmpeg is installed.
- **\`audio\`** adds ambient sound that fits the scene: wind, rain, waves, a night, a city. Its
  loudness is about -20 LUFS in every video.
- **\`watermark\`** adds a small label with the logo and name of the account's
  [brand](brands.md#content-for-clients) in the lower right corner.

Providers' models understand far more. Prompts for these models also work with this driver, with
simpler results.

## The words

The words of one line have the same meaning. A word may be in several sections.
`
