/* What one can begin with. The house is examples/house.floorplan. */
import text from '../../examples/house.floorplan?raw';

export const house: string = text;
export const emptyPlan = '%%{version: 1.0}%%\nfloorplan\n  floor Ground {\n    room Room at (0,0) size (5m x 4m)\n  }\n';
