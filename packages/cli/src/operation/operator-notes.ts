/** Note in the help of every command that only an operator can use. */
export const operatorNotes = 'Requires an operator key (scope admin).'
