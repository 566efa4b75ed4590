/** The side bar on narrow screens, where it covers the view. */
class Side {
  open = $state(false);
  /** Whether the view has its own title bar, with the button that opens the side bar. */
  hasTitleBar = $state(false);
}

export const side = new Side();
