/** How large a folder is, and which program makes images here. */
import { readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** In MB, with one place. */
export function sizeOfFolder(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const bytes = files
    .filter((file) => file.isFile())
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
  return (bytes / 1e6).toFixed(1);
}

export function nameOfBuilder(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const isThere = (name: string): boolean =>
    folders.some((folder) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile());
  return ['docker', 'podman', 'buildah'].find(isThere);
}
