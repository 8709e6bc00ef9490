/** Whether the environment has anything that AWS credentials could come from. */

/** Variables of the SDK's usual chain; each is injected when a pod is made, and not later. */
const sources = [
  ['AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_ROLE_ARN'],
  ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  ['AWS_CONTAINER_CREDENTIALS_FULL_URI'],
  ['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'],
  ['AWS_SHARED_CREDENTIALS_FILE'],
  ['AWS_CONFIG_FILE'],
  ['AWS_PROFILE'],
] as const;

/** Files in a home directory and the service of an instance are asked, too, but not expected. */
export const hasCredentials = (env: Readonly<Record<string, string | undefined>>): boolean =>
  sources.some((names) => names.every((name) => (env[name] ?? '') !== ''));
