/** Such as "1.3 GB", or "1,3 GB" in Spanish. */
export function formatBytes(bytes: number, language: 'es' | 'en'): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** power).toLocaleString(language, { maximumFractionDigits: power > 1 ? 1 : 0 })} ${units[power]}`
}
