/** Shows an error about the user's input or action. Shows nothing if the text is null. */
export function Problem({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <p class="field-error" role="alert">
      {text}
    </p>
  )
}
