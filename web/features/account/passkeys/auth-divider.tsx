import { es } from '#contract/language.ts'

export function AuthDivider() {
  return (
    <p className="flex items-center gap-3 text-text-2">
      <span className="flex-1 border-t border-border" />
      {es('o', 'or')}
      <span className="flex-1 border-t border-border" />
    </p>
  )
}
