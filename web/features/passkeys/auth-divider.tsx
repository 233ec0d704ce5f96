/** Stands between one way of signing in and the others. */
export function AuthDivider() {
  return (
    <p className="flex items-center gap-3 text-text-2">
      <span className="flex-1 border-t border-border" />o
      <span className="flex-1 border-t border-border" />
    </p>
  )
}
