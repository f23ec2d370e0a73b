import type { Meaning } from '../src/scenes/prompt/vocabulary.ts'

const headings: Partial<Record<Meaning['kind'], string>> = {
  place: 'Places',
  time: 'Time of day',
  weather: 'Weather',
  style: 'Styles: watercolor, oil, cut paper, minimal, ink, black and white, film, neon, pixel art',
  subject: 'Subjects',
  color: 'Colors of the nearest subject or of the whole image',
  count: 'Counts',
  air: 'Particles in the air',
  motion: 'Actions of subjects',
  riding: 'Riders',
  setting: 'Details of places',
  sight: 'Phenomena',
  part: 'Parts of a scene, which have the color named before them',
  garment: 'Garments, which have the color named before them',
  extra: 'Details',
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

The embedded driver renders on the CPU and needs no keys or model weights. It looks for the words below in the prompt, in
English (singular or plural) and in common Chinese, and composes a scene from them: a place at a time of day in some weather, with subjects, colors and light. It does not parse sentences. A prompt without a known word gives a still life, not an error.
Unknown words only change small variations.

- **Variations**: another \`seed\` gives another view of the same scene. The same request gives the same bytes on the same machine. Each of \`n\` results has a seed one higher than the previous one.
- **Text in quotation marks** is drawn. It appears as a neon sign if the prompt contains "neon", as a painted board if the prompt names an object with text (sign, shop, banner), as a caption after "says", and otherwise as a title. It may have up to 48 characters with any Latin
  letters and marks. Characters of other scripts are omitted, and a longer text is read as part of the prompt. The quoted words do not change anything else in the scene.
- **Food, drinks and products** lie on a table in the place that the prompt names, or in front of a plain wall. Products stand on a
  podium. Ball games have their own stadium or hall. A logo shows the subject of the prompt in a ring on a plain background.
- **Styles** apply to the whole image. If a prompt names several, the first one is used. In videos, brush strokes and paper do not move with the scene. Frames and references of the request keep their own style.
- **\`negative_prompt\`** removes these things from the scene: "birds", "fox", "rain".
- **\`first_frame\`** becomes a camera move into the image, with depth: objects in front of a backdrop and the ground come nearer.
  The first frame is the image itself. "Pan left", "tilt up" and similar words select the direction. "Static camera" reduces the movement to a minimum.
- **\`first_frame\` and \`last_frame\`**: the video starts with the first frame and ends with the last. If both show the same object, for example moved, nearer or in another light, the first frame turns into the last. Otherwise mist covers the transition.
- **\`last_frame\` alone**: the camera move runs backwards and ends on the image.
- **\`reference_images\`** hang as prints in the scene: in the sky or, if the subject of the prompt is high, in the foreground. A video shows a few of them at a time, and each of them at least once. A still image shows all of them. Together with \`first_frame\` and \`last_frame\`, the video starts and ends with these frames, and the references appear in between.
- **\`reference_videos\`** hang in the scene in the same way. The first three seconds of each play in a loop, without sound.
  A still image shows the first frame of each.
- **\`input_video\`** is extended: the result shows the given video, and then a new part of \`seconds\` that begins with its last frame. The given video may be up to 60 seconds long. With a \`first_frame\`, or with the \`task\` reference, the video is shown as a reference.
- **\`task\` edit** shows the given video in the light, colors, weather and style of the prompt. It does not add, remove or replace objects.
- **\`task\` motion** moves the \`first_frame\`, or the first of the \`reference_images\`, like the given video. The image moves as a whole, and each region also moves like the same region of the video. The driver does not recognize bodies and faces.
- **\`task\` lip_sync** plays the given video with the sound of \`input_audio\`. Lips do not move.
- **The length of the result of these three tasks** is the length of the video (lip_sync: of the sound), but at most \`seconds\`.
- **The sound of \`input_video\`** stays, unless \`keep_audio\` is false. \`input_audio\` replaces it. \`audio\` adds an ambience after the end of the given sound, or to the whole result if there is none.
- **Videos and sound in a request need an ffmpeg on PATH**. Without it, a request with a video or sound is refused. \`framegate doctor\` shows whether ffmpeg is installed.
- **\`audio\`** adds an ambience that fits the scene: wind, rain, waves, a night, a city. Its loudness is -20 LUFS in every video.
- **\`watermark\`** adds a small plate with the logo and name of the account's [brand](brands.md#what-its-clients-see) in the lower right
  corner.

Providers' models understand far more. Prompts for these models also work with this driver, with simpler results.

## The words
`
