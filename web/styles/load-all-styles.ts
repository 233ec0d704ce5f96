let loading: Promise<void> | undefined

/**
 * Loads the full stylesheet; the first page's sheet covers only screens without `withAllStyles`
 * (vite.config.ts). @throws if it cannot be loaded; the next call retries
 */
export const loadAllStyles = (): Promise<void> => {
  loading ??= addStylesheet().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/** Delays a screen's code until all classes have loaded. */
export const withAllStyles =
  <Module>(load: () => Promise<Module>) =>
  async (): Promise<Module> =>
    (await Promise.all([load(), loadAllStyles()]))[0]

/** The build names the sheet in the page; in development it is already loaded. */
async function addStylesheet(): Promise<void> {
  const href = document.querySelector<HTMLMetaElement>('meta[name="all-styles"]')?.content
  if (!href) return
  const sheet = document.createElement('link')
  sheet.rel = 'stylesheet'
  sheet.href = href
  await new Promise((resolve, reject) => {
    sheet.onload = resolve
    sheet.onerror = () => {
      sheet.remove()
      reject(new Error('The stylesheet could not be loaded'))
    }
    document.head.append(sheet)
  })
}
