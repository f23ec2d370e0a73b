/** Note in the help of every operator command. */
export const operatorNotes = 'Requires an operator key (scope `admin`).'
