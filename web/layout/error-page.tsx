import { Component, type ReactNode } from 'react'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { LogoMark } from '#web/ui/brand.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'

export function formatErrorPageReason(error: unknown): string {
  if (error instanceof Response) return `${error.status} ${error.statusText}`.trim()
  return error instanceof Error ? error.message : String(error)
}

function ErrorPage({ error }: { error: unknown }) {
  const title = en(
    'Unexpected Application Error!',
    error instanceof Response ? 'Esta página no existe' : '¡Algo se rompió!',
  )
  return (
    <div className="flex min-h-[70dvh] flex-col items-center justify-center gap-2 px-6 text-center">
      <LogoMark className="mb-4 size-16" />
      <PageTitle title={title} />
      <p className="mb-4 max-w-[62ch] wrap-anywhere text-text-2">{formatErrorPageReason(error)}</p>
      {/* The link reloads the document, because the cause of the failure may still be in memory. */}
      <ButtonLink to={screenPaths.home()} reloadDocument>
        {en('Go to Home', 'Ir a Inicio')}
      </ButtonLink>
    </div>
  )
}

export function NotFoundScreen() {
  return (
    <ErrorPage error={new Response(null, { status: 404, statusText: en('Not Found', 'No encontrado') })} />
  )
}

type Caught = { at: string; failure?: { error: unknown } }

/** Navigating to another path than `at` resets the error. */
export class ErrorBoundary extends Component<{ at: string; children: ReactNode }, Caught> {
  override state: Caught = { at: this.props.at }

  static getDerivedStateFromError(error: unknown): Partial<Caught> {
    return { failure: { error } }
  }

  static getDerivedStateFromProps({ at }: { at: string }, state: Caught): Caught | null {
    return at === state.at ? null : { at, failure: undefined }
  }

  override render() {
    return this.state.failure ? <ErrorPage error={this.state.failure.error} /> : this.props.children
  }
}
