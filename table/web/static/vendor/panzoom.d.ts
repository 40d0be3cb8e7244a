/** The part of Panzoom that pages use, for the check of types; its source is left as it came. */
export default function Panzoom(element: Element, options?: object): any;
