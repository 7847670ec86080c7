/** What is said after a change in the settings: by the document if a form was sent, else by the page's script. */
export const settingsDone = {
  saved: 'Your name is changed.',
  sent: 'A link is on its way to you.',
  address: 'A link is on its way to the new address. It is yours once you followed the link.',
  password: 'Your password is changed. Every other browser was signed out.',
  narrowed: 'The token has fewer rights now.',
  revoked: 'The token is revoked.',
  removed: 'The passkey is removed.',
  ended: 'Every other browser was signed out.',
} as const;
