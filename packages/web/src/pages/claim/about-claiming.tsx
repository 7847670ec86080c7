export function AboutClaiming() {
  return <p>A page published without an account lasts a week. If you claim it, it is yours and stays.</p>;
}
